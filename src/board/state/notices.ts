import { signal } from '@preact/signals';

/** What a change did. */
export interface Notice {
  /** Different for each notice, so that the same sentence is announced again. */
  readonly id: number;
  readonly text: string;
  /** The command line that does the same, if there is one. */
  readonly command: string | undefined;
}

/** The result of the last change, until it is dismissed. */
export const notice = signal<Notice | undefined>(undefined);

/** Shows what a change did, or why it could not be made. */
export function announce(text: string, command?: string): void {
  notice.value = { id: (notice.peek()?.id ?? 0) + 1, text, command };
}
