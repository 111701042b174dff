import { useState } from 'preact/hooks';

/** The dialog that a screen shows, if any. */
export interface OpenDialog<Choice> {
  /** What was chosen: the action, and the record as it was shown. */
  readonly choice: Choice | undefined;
  readonly open: (choice: Choice) => void;
  /** Closes the dialog of this choice. The answer to a change comes late and may call it: another dialog stays open. */
  readonly close: () => void;
}

/** The dialog of a screen; closed at first. */
export function useOpenDialog<Choice extends object>(): OpenDialog<Choice> {
  const [choice, choose] = useState<Choice | undefined>(undefined);
  return { choice, open: (next) => choose(next), close: () => choose((current) => (current === choice ? undefined : current)) };
}
