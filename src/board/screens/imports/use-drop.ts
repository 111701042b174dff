import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Lets a file be dropped anywhere on the page. Without it the browser would leave the page and open the file. */
export function useDrop(choose: (file: File) => void): boolean {
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
      if (file) choose(file);
    });
    return () => stop.abort();
  }, []);
  return isOver.value;
}
