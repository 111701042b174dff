import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** What a program did to the files of a folder and printed meanwhile, in order. */
export type DiskEvent =
  | { readonly did: 'write'; readonly file: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly did: 'truncate'; readonly file: string; readonly size: number }
  | { readonly did: 'remove'; readonly file: string }
  | { readonly did: 'sync'; readonly file: string }
  | { readonly did: 'say'; readonly text: string };

/** The recorded system calls. */
export const recordedCalls = 'pwrite64,ftruncate,fsync,fdatasync,unlink,write';
/** The flags for strace(1): with paths of descriptors, every byte, and all threads. */
export const straceFlags = ['-f', '-y', '-xx', '-s', '1048576', '-e', `trace=${recordedCalls}`] as const;

const decoded = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex');
/** strace writes the path of a descriptor in hexadecimal or as text. */
const pathOf = (text: string): string => (text.startsWith('\\x') ? decoded(text).toString() : text);

/** The event of a call; a sync counts when it has ended. */
function eventOf(call: string, args: string, ended: boolean): DiskEvent | undefined {
  if (call === 'unlink') return { did: 'remove', file: pathOf(/^"(.*?)"/.exec(args)?.[1] ?? '') };
  const [, descriptor, path = '', rest = ''] = /^(\d+)<(.*?)>(?:, )?(.*)$/s.exec(args) ?? [];
  const file = pathOf(path);
  if (call === 'fsync' || call === 'fdatasync') return ended ? { did: 'sync', file } : undefined;
  if (call === 'ftruncate') return { did: 'truncate', file, size: Number(/^\d+/.exec(rest)?.[0]) };
  const [, hex = '', , offset] = /^"((?:\\x[0-9a-f]{2})*)", (\d+)(?:, (\d+))?/.exec(rest) ?? [];
  if (call === 'pwrite64') return { did: 'write', file, offset: Number(offset), bytes: decoded(hex) };
  return descriptor === '1' ? { did: 'say', text: decoded(hex).toString() } : undefined;
}

/** Reads the output of strace; only files of this folder count. */
export async function readRecord(path: string, folder: string): Promise<readonly DiskEvent[]> {
  const events: DiskEvent[] = [];
  const unfinished = new Map<string, { readonly call: string; readonly args: string }>();
  const take = (event: DiskEvent | undefined): void => {
    if (event !== undefined && (event.did === 'say' || event.file.startsWith(folder))) events.push(event);
  };
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const [, resumed, result] = /^<\.\.\. (\w+) resumed>.*= (-?\d+)/.exec(rest) ?? [];
    const begun = unfinished.get(thread);
    if (resumed !== undefined && begun?.call === resumed) {
      unfinished.delete(thread);
      // Other calls may have taken effect when they began.
      if (resumed.endsWith('sync') && result === '0') take(eventOf(begun.call, begun.args, true));
      continue;
    }
    const [, call = '', args = ''] = /^(\w+)\((.*)$/.exec(rest) ?? [];
    if (call === '') continue;
    const isUnfinished = args.endsWith('<unfinished ...>');
    if (isUnfinished) unfinished.set(thread, { call, args });
    take(eventOf(call, args, !isUnfinished && args.endsWith('= 0')));
  }
  return events;
}
