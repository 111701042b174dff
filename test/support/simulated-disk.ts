import type { DiskEvent } from './strace-record.js';

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
