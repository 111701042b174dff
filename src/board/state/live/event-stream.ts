import { after } from '../clock.js';
import { basePath } from '../server/base-path.js';
import { send } from '../server/call.js';

// The server sends a comment every 10 s; a connection that is silent for longer is broken.
const silenceMs = 40_000;

/** What the reader of a stream is told. */
export interface StreamReader {
  readonly onOpen: () => void;
  /** The id of a new ledger entry. */
  readonly onEntry: (id: number) => void;
}

/** Ids in complete lines of server-sent events; the rest of the text is the start of the next line. */
function readLines(text: string, onEntry: StreamReader['onEntry']): string {
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  const ids = lines.flatMap((line) => /^id: ?(\d+)$/.exec(line)?.[1] ?? []);
  if (ids.length > 0) onEntry(Math.max(...ids.map(Number)));
  return rest;
}

/** Follows the ledger after an entry until the connection ends or `until` is aborted. Refuses as `send` does. */
export async function followEvents(newest: number, { onOpen, onEntry }: StreamReader, until: AbortSignal): Promise<void> {
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
