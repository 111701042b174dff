import { StoreError } from '../domain/errors.js';
import type { Call } from '../domain/call.js';
import type { Shop } from '../domain/shop.js';
import type { Settings } from '../settings/settings.js';
import type { Setup } from './program-setup.js';
import { sanitise } from './output/sanitise.js';

/** The refusal of a change where the profile lets commands look only. */
export function readOnlyRefusal({ profile = '', where }: Settings): StoreError {
  return new StoreError('store_read_only', `The profile ${profile} is read-only; the shop at ${sanitise(where)} is not changed.`, {
    advice: 'Name another profile with -P, or look at what would happen with --dry-run.',
  });
}

/** A shop that answers what is asked and refuses to change, but for a dry run. */
function lookedAt(shop: Shop, refuse: () => never): Shop {
  const keeps = (options: { readonly dryRun?: boolean | undefined } | undefined): void => void (options?.dryRun !== true && refuse());
  const call: Call = async (operation, input, options) => {
    if (operation.kind === 'write') keeps(options);
    return shop.call(operation, input, options);
  };
  return {
    ...shop,
    call,
    callEach: async (operation, inputs, options) => {
      if (operation.kind === 'write') keeps(options);
      return shop.callEach(operation, inputs, options);
    },
    importPets: async (file, options) => (keeps(options), shop.importPets(file, options)),
    importStock: async (file, options) => (keeps(options), shop.importStock(file, options)),
    undoBatch: async (batchId, options) => (keeps(options), shop.undoBatch(batchId, options)),
    tokens: {
      ...shop.tokens,
      create: async (draft, options) => (keeps(options), shop.tokens.create(draft, options)),
      revoke: async (name, options) => (keeps(options), shop.tokens.revoke(name, options)),
    },
  };
}

function writable(settings: Settings): void {
  if (settings.readOnly) throw readOnlyRefusal(settings);
}

/** Every door to a shop, with those that lead to a change shut where a profile is read-only. */
export function guarded(setup: Setup): Setup {
  return {
    ...setup,
    open: async (settings) => {
      const shop = await setup.open(settings);
      if (!settings.readOnly) return shop;
      return lookedAt(shop, () => {
        throw readOnlyRefusal(settings);
      });
    },
    housekeeping: {
      ...setup.housekeeping,
      restore: async (settings, request) => (request.dryRun || writable(settings), setup.housekeeping.restore(settings, request)),
      doctor: async (settings, request) => (!request.repair || request.dryRun || writable(settings), setup.housekeeping.doctor(settings, request)),
    },
    init: async (settings, sample) => (writable(settings), setup.init(settings, sample)),
    // A server takes changes from others.
    serve: async (settings, flags) => (writable(settings), setup.serve(settings, flags)),
  };
}
