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

/** How much of the data written since the last sync survives a power cut. */
export const losses = ['none of it', 'half of it', 'torn blocks of it', 'all of it'] as const;
/** How much of the data written since the last sync survives a power cut. */
export type Loss = (typeof losses)[number];

type Change = Exclude<DiskEvent, { readonly did: 'sync' | 'say' }>;

const sector = 512;

function written(content: Buffer, offset: number, bytes: Buffer): Buffer {
  const end = offset + bytes.length;
  const grown = end > content.length ? Buffer.concat([content, Buffer.alloc(end - content.length)]) : content;
  bytes.copy(grown, offset);
  return grown;
}

/** A file after a change; `undefined` means no file. Of a torn write each sector is written or not. */
function changed(content: Buffer | undefined, change: Change, keeps: () => boolean, torn: boolean): Buffer | undefined {
  if (change.did === 'remove') return undefined;
  const present = content ?? Buffer.alloc(0);
  if (change.did === 'truncate') return change.size <= present.length ? present.subarray(0, change.size) : written(present, change.size, Buffer.alloc(0));
  if (!torn) return written(present, change.offset, change.bytes);
  let result = present;
  for (let from = 0; from < change.bytes.length; from += sector) {
    if (keeps()) result = written(result, change.offset + from, change.bytes.subarray(from, from + sector));
  }
  return result;
}

/** A simulated disk that loses power. */
export interface Disk {
  readonly take: (event: DiskEvent) => void;
  /** The files as they may be after a power cut at this moment. */
  readonly cut: (loss: Loss, keeps: () => boolean) => ReadonlyMap<string, Buffer>;
}

/** A disk on which these files are durable; later writes are durable after the next sync of their file. */
export function diskOf(files: ReadonlyMap<string, Buffer>): Disk {
  const safe = new Map<string, Buffer | undefined>(files);
  const waiting = new Map<string, Change[]>();
  const after = (file: string, each: (change: Change) => boolean, keeps: () => boolean, torn: boolean): Buffer | undefined => {
    const content = safe.get(file);
    let found: Buffer | undefined = content && Buffer.from(content);
    for (const change of waiting.get(file) ?? []) if (each(change)) found = changed(found, change, keeps, torn && change.did === 'write');
    return found;
  };
  const always = (): boolean => true;
  return {
    take: (event) => {
      if (event.did === 'say') return;
      if (event.did !== 'sync') return void waiting.set(event.file, [...(waiting.get(event.file) ?? []), event]);
      safe.set(event.file, after(event.file, always, always, false));
      waiting.delete(event.file);
    },
    cut: (loss, keeps) => {
      const torn = loss === 'torn blocks of it';
      const each = {
        'none of it': () => false,
        'half of it': keeps,
        'torn blocks of it': (change: Change) => change.did === 'write' || keeps(),
        'all of it': always,
      }[loss];
      const found = [...new Set([...safe.keys(), ...waiting.keys()])].map((file) => [file, after(file, each, keeps, torn)] as const);
      return new Map(found.filter((one): one is readonly [string, Buffer] => one[1] !== undefined));
    },
  };
}
