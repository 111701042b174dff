import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { RefusedFile } from '../state/imports/refused-file.js';

/** A link that saves a file that the page made. */
export function Download({ file, children }: { readonly file: RefusedFile; readonly children: ComponentChildren }): JSX.Element {
  const address = useMemo(() => URL.createObjectURL(file.content), [file]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return (
    <a class="button" href={address} download={file.name}>
      {children}
    </a>
  );
}
