import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { sizeText } from '../../parts/text.js';
import { sentenceOf, type RefusalError } from '../../state/refusal.js';
import { form } from './import-form.js';

const label = 'Drop a file here, or choose one';

/** The file to import: dropped, or chosen in the dialog of the browser. */
export function FilePicker({ refusal }: { readonly refusal: RefusalError | undefined }): JSX.Element {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const file = form.file.value;
  // A file that was dropped, or chosen before another screen was shown.
  useEffect(() => {
    const { current } = input;
    if (file === undefined || current === null || current.files?.[0] === file) return;
    const files = new DataTransfer();
    files.items.add(file);
    current.files = files.files;
  }, [file]);
  const refused = refusal?.field === 'file' ? refusal : undefined;
  return (
    <div class="file-picker">
      <label for={id}>{label}</label>
      <input
        ref={input}
        id={id}
        type="file"
        required
        aria-invalid={refused !== undefined}
        aria-describedby={refused ? `${id}-hint ${id}-refusal` : `${id}-hint`}
        onChange={(event) => (form.file.value = event.currentTarget.files?.[0])}
      />
      <p id={`${id}-hint`} class="hint">
        {file && `${sizeText(file.size)}. `}CSV, TSV, NDJSON or JSON, also with gzip, up to 256 MiB.
      </p>
      {refused && (
        <p id={`${id}-refusal`} class="refusal" role="alert">
          {sentenceOf(refused)}
        </p>
      )}
    </div>
  );
}
