import { StoreError } from '../../domain/errors.js';

/** Slots for what clients keep open, each for itself. */
export interface ClientSlots {
  /** Takes a slot for a client (`clientKey`) and returns its release, which may be called again; refuses with `overloaded` when none is free. */
  readonly acquire: (client: string) => () => void;
}

function checkFree(isFree: boolean, count: string): void {
  if (!isFree) throw new StoreError('overloaded', `${count} are open already; try again when some are done.`);
}

/** Slots of one server, all free: `maximum` in all, a quarter of them for one client. `noun` names what they are for, in the plural. */
export function clientSlots(maximum: number, noun: string): ClientSlots {
  const maximumPerClient = Math.floor(maximum / 4);
  const taken = new Map<string, number>();
  let total = 0;
  return {
    acquire: (client) => {
      const own = taken.get(client) ?? 0;
      checkFree(total < maximum, `${maximum} ${noun}`);
      checkFree(own < maximumPerClient, `${maximumPerClient} ${noun} of this client`);
      taken.set(client, own + 1);
      total += 1;
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        total -= 1;
        const left = (taken.get(client) ?? 0) - 1;
        if (left > 0) taken.set(client, left);
        else taken.delete(client);
      };
    },
  };
}

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

/** The import slots of one server, all free: a function that takes one for a client, and refuses with `overloaded` when none is free. */
export function importSlots(): (client: string) => ImportSlot {
  const slots = clientSlots(maximumOpenImports, 'imports');
  let storedBytes = 0;
  return (client) => {
    const release = slots.acquire(client);
    let size = 0;
    return {
      count: async function* count(bytes) {
        for await (const chunk of bytes) {
          checkFree(storedBytes + chunk.length <= maximumStoredBytes, `Files of imports with ${maximumStoredBytes / 1024 / 1024} MiB`);
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
  };
}
