/** The shells that are completed; data/completion has the script of each. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
/** A shell that is completed. */
export type Shell = (typeof shells)[number];

/** Whether a text names a shell that is completed. */
export function isShell(text: string | undefined): text is Shell {
  return (shells as readonly (string | undefined)[]).includes(text);
}
