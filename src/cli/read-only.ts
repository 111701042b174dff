import { StoreError } from '../domain/errors.js';
import type { Call } from '../domain/call.js';
import type { Shop } from '../domain/shop.js';
import type { Settings } from '../settings/settings.js';
import type { Setup } from './program-setup.js';
import { sanitise } from './output/sanitise.js';

/** The refusal of a change under a read-only profile. */
export function readOnlyRefusal({ profile = '', where }: Settings): StoreError {
  return new StoreError('store_read_only', `The profile ${profile} is read-only; the shop at ${sanitise(where)} was not changed.`, {
    advice: 'Use another profile with -P, or preview with --dry-run.',
  });
}

/** A shop that refuses all changes except dry runs. */
function readOnlyShop(shop: Shop, refuse: () => never): Shop {
  const checkDryRun = (options: { readonly dryRun?: boolean | undefined } | undefined): void => void (options?.dryRun !== true && refuse());
  const call: Call = async (operation, input, options) => {
    if (operation.kind === 'write') checkDryRun(options);
    return shop.call(operation, input, options);
  };
  return {
    ...shop,
    call,
    callEach: async (operation, inputs, options) => {
      if (operation.kind === 'write') checkDryRun(options);
      return shop.callEach(operation, inputs, options);
    },
    importPets: async (file, options) => (checkDryRun(options), shop.importPets(file, options)),
    importStock: async (file, options) => (checkDryRun(options), shop.importStock(file, options)),
    undoBatch: async (batchId, options) => (checkDryRun(options), shop.undoBatch(batchId, options)),
    tokens: {
      ...shop.tokens,
      create: async (draft, options) => (checkDryRun(options), shop.tokens.create(draft, options)),
      revoke: async (name, options) => (checkDryRun(options), shop.tokens.revoke(name, options)),
    },
  };
}

function checkWritable(settings: Settings): void {
  if (settings.readOnly) throw readOnlyRefusal(settings);
}

/** The same setup, which refuses every change of a shop under a read-only profile with `store_read_only`. */
export function withReadOnlyProfiles(setup: Setup): Setup {
  return {
    ...setup,
    open: async (settings) => {
      const shop = await setup.open(settings);
      if (!settings.readOnly) return shop;
      return readOnlyShop(shop, () => {
        throw readOnlyRefusal(settings);
      });
    },
    housekeeping: {
      ...setup.housekeeping,
      restore: async (settings, request) => (request.dryRun || checkWritable(settings), setup.housekeeping.restore(settings, request)),
      doctor: async (settings, request) => (!request.repair || request.dryRun || checkWritable(settings), setup.housekeeping.doctor(settings, request)),
    },
    init: async (settings, sample) => (checkWritable(settings), setup.init(settings, sample)),
    // Clients of a server can change the shop.
    serve: async (settings, flags) => (checkWritable(settings), setup.serve(settings, flags)),
  };
}
