import { StoreError } from '../../domain/errors.js';
import { clientSlots } from './client-slots.js';

/** The maximum number of imports that arrive, wait or run. */
const maximumOpenImports = 200;
/** The maximum size of all their files on disk. */
const maximumStoredBytes = 2 * 1024 * 1024 * 1024;

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

/** The import slots of one server, all free. */
export function importSlots(): ImportSlots {
  const slots = clientSlots(maximumOpenImports, 'imports');
  let storedBytes = 0;
  return {
    acquire: (client) => {
      const release = slots.acquire(client);
      let size = 0;
      return {
        count: async function* count(bytes) {
          for await (const chunk of bytes) {
            if (storedBytes + chunk.length > maximumStoredBytes)
              throw new StoreError(
                'overloaded',
                `The files of open imports take ${maximumStoredBytes / 1024 / 1024} MiB already; try again when some are done.`,
              );
            size += chunk.length;
            storedBytes += chunk.length;
            yield chunk;
          }
        },
        release: () => {
          release();
          storedBytes -= size;
        },
      };
    },
  };
}
