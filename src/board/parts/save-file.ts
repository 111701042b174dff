import { after } from '../state/clock.js';

const keepMs = 60_000;

/** Saves what the page made as a file, as a download of the browser. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  after(keepMs, () => URL.revokeObjectURL(link.href));
}
