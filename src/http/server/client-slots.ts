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
