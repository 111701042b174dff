import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { go, href } from '../../state/router.js';
import { may } from '../../state/session.js';
import { chooseFile } from './import-stage.js';

function importDropped(file: File): void {
  if (!may('importInventory') && !may('importPets')) return;
  chooseFile(file);
  go(href('/imports'));
}

/** Lets a file to import be dropped on any screen. Without it the browser would leave the page and open the file. */
export function useDrop(): boolean {
  const isOver = useSignal(false);
  useEffect(() => {
    const stop = new AbortController();
    const listen = (name: 'dragover' | 'dragleave' | 'drop', work: (event: DragEvent) => void): void =>
      document.addEventListener(name, work, { signal: stop.signal });
    listen('dragover', (event) => {
      event.preventDefault();
      isOver.value = event.dataTransfer?.types.includes('Files') === true;
    });
    listen('dragleave', ({ relatedTarget }) => {
      if (relatedTarget === null) isOver.value = false;
    });
    listen('drop', (event) => {
      event.preventDefault();
      isOver.value = false;
      const file = event.dataTransfer?.files[0];
      if (file) importDropped(file);
    });
    return () => stop.abort();
  }, []);
  return isOver.value;
}
