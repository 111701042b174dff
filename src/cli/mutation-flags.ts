import { toggle, flag, type FlagValues } from './flags.js';
import { ledgerNote } from './readers.js';
import { StoreError } from '../domain/errors.js';
import type { Context } from './command.js';
import type { CallOptions } from '../domain/call.js';

/** The flags of every command that changes the shop. */
export const mutationFlags = {
  dryRun: toggle({ long: 'dry-run', short: 'n', ofChanges: true, summary: 'show what would happen, without changing anything' }),
  yes: toggle({ long: 'yes', short: 'y', ofChanges: true, summary: 'do not ask for confirmation' }),
  key: flag({ long: 'key', value: 'key', ofChanges: true, summary: 'idempotency key: a repeat with it changes nothing', read: keyText }),
  note: flag({ long: 'note', value: 'text', ofChanges: true, summary: 'a note for the ledger', read: ledgerNote }),
};

/** What is said after a dry run. */
export const nothingChanged = 'Dry run: nothing was changed.';

function keyText(value: string, name: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(value)) return value;
  throw new StoreError('usage', `${name} takes 1 to 255 printable ASCII characters.`);
}

/** The flags of a mutation as options of the call. */
export function callOptions(context: Context, { dryRun, key, note }: Partial<FlagValues<typeof mutationFlags>>): CallOptions {
  return {
    dryRun,
    key,
    note,
    onReplay: () => void context.note(`Already done with the key "${key}"; nothing was changed.`),
  };
}

/** Accepts a quantity below what is reserved. */
export const allowShortage = toggle({ long: 'allow-shortage', summary: 'accept stock below the units reserved for open orders' });
