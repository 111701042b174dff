import { onTestFinished } from 'vitest';

/** One event of a stream. */
export interface StreamedEvent {
  /** The id of the event: that of its entry and a mark. */
  readonly id: string;
  readonly entryId: number;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A client of an event stream. */
export interface EventStreamReader {
  readonly status: number;
  readonly headers: Headers;
  /** The next `count` events; fails when the stream ends before. */
  readonly next: (count: number) => Promise<readonly StreamedEvent[]>;
  /** Resolves at the end of the stream with the remaining events. */
  readonly rest: () => Promise<readonly StreamedEvent[]>;
  readonly close: () => void;
}

function parsed(block: string): StreamedEvent | undefined {
  const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const));
  const data = fields.get('data');
  if (data === undefined) return undefined;
  const id = fields.get('id') ?? '';
  return { id, entryId: Number(id.split('-')[0]), event: fields.get('event') ?? '', data: JSON.parse(data) as StreamedEvent['data'] };
}

/** Follows an event stream until the test ends. */
export async function follow(address: string, path = '/store/events', headers: Readonly<Record<string, string>> = {}): Promise<EventStreamReader> {
  const control = new AbortController();
  onTestFinished(() => control.abort());
  const response = await fetch(`${address}${path}`, { headers, signal: control.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const events: StreamedEvent[] = [];
  let text = '';
  const read = async (): Promise<boolean> => {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return false;
    const blocks = (text + value).split('\n\n');
    text = blocks.pop() ?? '';
    events.push(...blocks.flatMap((block) => parsed(block) ?? []));
    return true;
  };
  return {
    status: response.status,
    headers: response.headers,
    next: async (count) => {
      while (events.length < count)
        if (!(await read())) throw new Error(`The stream of status ${response.status} ended after ${JSON.stringify(events)}${text}.`);
      return events.splice(0, count);
    },
    rest: async () => {
      while (await read());
      return events.splice(0);
    },
    close: () => control.abort(),
  };
}
