import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { FieldFrame } from '../../parts/forms/field.js';
import { sizeText } from '../../parts/text.js';
import type { RefusalError } from '../../state/server/refusal.js';
import { form } from './import-form.js';

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
  const hint = `${file ? `${sizeText(file.size)}. ` : ''}CSV, TSV, NDJSON or JSON, also with gzip, up to 256 MiB.`;
  return (
    <div class="file-picker">
      <FieldFrame id={id} label="Drop a file here, or choose one" name="file" refusal={refusal} hint={hint}>
        {(attributes) => <input {...attributes} ref={input} type="file" required onChange={(event) => (form.file.value = event.currentTarget.files?.[0])} />}
      </FieldFrame>
    </div>
  );
}
