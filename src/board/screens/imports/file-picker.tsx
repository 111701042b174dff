import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { sizeText } from '../../parts/text.js';
import { sentenceOf, type RefusalError } from '../../state/refusal.js';
import { form } from './import-form.js';

/** Lets a file be dropped anywhere on the page. Without it the browser would leave the page and open the file. */
function useDrop(choose: (files: FileList) => void): boolean {
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
      if (event.dataTransfer && event.dataTransfer.files.length > 0) choose(event.dataTransfer.files);
    });
    return () => stop.abort();
  }, []);
  return isOver.value;
}

const label = 'Drop a file here, or choose one';

/** The file to import: dropped, or chosen in the dialog of the browser. */
export function FilePicker({ refusal }: { readonly refusal: RefusalError | undefined }): JSX.Element {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const choose = (files: FileList): void => {
    if (input.current && input.current.files !== files) input.current.files = files;
    form.file.value = files[0];
  };
  const isOver = useDrop(choose);
  // The screen is shown again with the file that was chosen before.
  useEffect(() => {
    const chosen = form.file.peek();
    if (chosen === undefined || input.current === null) return;
    const files = new DataTransfer();
    files.items.add(chosen);
    input.current.files = files.files;
  }, []);
  const refused = refusal?.field === 'file' ? refusal : undefined;
  const size = form.file.value?.size;
  return (
    <div class="file-picker" data-over={isOver}>
      <label for={id}>{label}</label>
      <input
        ref={input}
        id={id}
        type="file"
        required
        aria-invalid={refused !== undefined}
        aria-describedby={refused ? `${id}-hint ${id}-refusal` : `${id}-hint`}
        onChange={(event) => event.currentTarget.files && choose(event.currentTarget.files)}
      />
      <p id={`${id}-hint`} class="hint">
        {size !== undefined && `${sizeText(size)}. `}CSV, TSV, NDJSON or JSON, also with gzip, up to 256 MiB.
      </p>
      {refused && (
        <p id={`${id}-refusal`} class="refusal" role="alert">
          {sentenceOf(refused)}
        </p>
      )}
    </div>
  );
}
