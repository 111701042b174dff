import { after } from '../clock.js';
import { basePath } from '../server/base-path.js';
import { send } from '../server/call.js';
import { RefusalError } from '../server/refusal.js';

// The server sends a comment every 10 s; a connection that is silent for longer is broken.
const silenceMs = 40_000;

/** What is called while a stream is read. */
export interface StreamReader {
  readonly onOpen: () => void;
  /** The event id of the newest ledger entry. */
  readonly onEntry: (eventId: string) => void;
}

/**
 * Event ids in complete lines of server-sent events; the rest of the text is the start of the next line. Refuses with
 * `cursor_expired` where the server says that the ledger no longer has the last entry.
 */
function readLines(text: string, onEntry: StreamReader['onEntry']): string {
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  const newest = lines.flatMap((line) => /^id: ?(\d+(?:-\w+)?)$/.exec(line)?.[1] ?? []).at(-1);
  if (newest !== undefined) onEntry(newest);
  if (lines.includes('event: expired')) throw new RefusalError('cursor_expired', 'The ledger no longer has the last entry.', 410);
  return rest;
}

/** Follows the ledger after an event until the connection ends or `until` is aborted. Refuses as `send` does, and with `cursor_expired`. */
export async function followEvents(newest: string, { onOpen, onEntry }: StreamReader, until: AbortSignal): Promise<void> {
  const silence = new AbortController();
  let cancel = after(silenceMs, () => silence.abort());
  const restartTimer = (): void => {
    cancel();
    cancel = after(silenceMs, () => silence.abort());
  };
  try {
    const { body } = await send(`${basePath}/store/events?notices=true&after=${newest}`, { signal: AbortSignal.any([until, silence.signal]) });
    if (body === null) return;
    onOpen();
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      restartTimer();
      rest = readLines(rest + value, onEntry);
    }
  } finally {
    cancel();
  }
}
