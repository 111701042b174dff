import { StoreError } from '../../domain/errors.js';

/** The most imports that arrive, wait and run at a time. */
export const maximumImports = 200;
/** The most of them that one client may have. */
export const maximumImportsPerClient = 100;
/** The most bytes of their files that are kept on disk meanwhile. */
export const maximumKept = 2 * 1024 * 1024 * 1024;

/** The place of one import among those that are open. */
export interface ImportSlot {
  /** Counts the bytes of its file; refuses with `overloaded` where the files of all imports together are too large. */
  readonly count: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  /** Gives the place to somebody else. */
  readonly leave: () => void;
}

/** The places for imports of one server. */
export interface ImportSlots {
  /** Takes a place for a client; refuses with `overloaded` where there is none. */
  readonly enter: (client: string) => ImportSlot;
}

function overloaded(reason: string): StoreError {
  return new StoreError('overloaded', `${reason}; try again when some are done.`);
}

/** Counts the imports of one server. */
export function importSlots(): ImportSlots {
  const open = new Map<string, number>();
  let all = 0;
  let kept = 0;
  const change = (client: string, by: 1 | -1): void => {
    const count = (open.get(client) ?? 0) + by;
    if (count === 0) open.delete(client);
    else open.set(client, count);
    all += by;
  };
  return {
    enter: (client) => {
      if (all >= maximumImports) throw overloaded(`${maximumImports} imports are open already`);
      if ((open.get(client) ?? 0) >= maximumImportsPerClient) throw overloaded(`${maximumImportsPerClient} imports of this client are open already`);
      change(client, 1);
      let size = 0;
      return {
        count: async function* count(bytes) {
          for await (const chunk of bytes) {
            if (kept + chunk.length > maximumKept) throw overloaded(`The files of open imports take ${maximumKept / 1024 / 1024} MiB already`);
            size += chunk.length;
            kept += chunk.length;
            yield chunk;
          }
        },
        leave: () => {
          change(client, -1);
          kept -= size;
        },
      };
    },
  };
}
