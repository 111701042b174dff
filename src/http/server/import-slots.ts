import { StoreError } from '../../domain/errors.js';

/** The maximum number of imports that arrive, wait or run. */
export const maximumOpenImports = 200;
/** The maximum of one client. */
export const maximumImportsPerClient = 100;
/** The maximum size of all their files on disk. */
export const maximumStoredBytes = 2 * 1024 * 1024 * 1024;

/** The slot of one open import. */
export interface ImportSlot {
  /** Counts the bytes of its file; refuses with `overloaded` when the files of all imports together are too large. */
  readonly count: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  readonly release: () => void;
}

/** The import slots of one server. */
export interface ImportSlots {
  /** Takes a slot for a client; refuses with `overloaded` when none is free. */
  readonly acquire: (client: string) => ImportSlot;
}

function overloaded(reason: string): StoreError {
  return new StoreError('overloaded', `${reason}; try again when some are done.`);
}

/** The import slots of one server, all free. */
export function importSlots(): ImportSlots {
  const open = new Map<string, number>();
  let openCount = 0;
  let storedBytes = 0;
  const change = (client: string, by: 1 | -1): void => {
    const count = (open.get(client) ?? 0) + by;
    if (count === 0) open.delete(client);
    else open.set(client, count);
    openCount += by;
  };
  return {
    acquire: (client) => {
      if (openCount >= maximumOpenImports) throw overloaded(`${maximumOpenImports} imports are open already`);
      if ((open.get(client) ?? 0) >= maximumImportsPerClient) throw overloaded(`${maximumImportsPerClient} imports of this client are open already`);
      change(client, 1);
      let size = 0;
      return {
        count: async function* count(bytes) {
          for await (const chunk of bytes) {
            if (storedBytes + chunk.length > maximumStoredBytes)
              throw overloaded(`The files of open imports take ${maximumStoredBytes / 1024 / 1024} MiB already`);
            size += chunk.length;
            storedBytes += chunk.length;
            yield chunk;
          }
        },
        release: () => {
          change(client, -1);
          storedBytes -= size;
        },
      };
    },
  };
}
