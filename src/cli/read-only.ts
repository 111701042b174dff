import { StoreError } from '../domain/errors.js';
import type { Settings } from '../settings/settings.js';
import type { Setup } from './program-setup.js';
import { withChanges } from './shop-changes.js';
import { sanitise } from './output/sanitise.js';

/** The refusal of a change under a read-only profile. */
export function readOnlyRefusal({ profile = '', where }: Settings): StoreError {
  return new StoreError('store_read_only', `The profile ${profile} is read-only; the shop at ${sanitise(where)} was not changed.`, {
    advice: 'Use another profile with -P, or preview with --dry-run.',
  });
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
      return withChanges(shop, async ({ isDryRun, run }) => {
        if (!isDryRun) throw readOnlyRefusal(settings);
        return run();
      });
    },
    maintenance: {
      ...setup.maintenance,
      restore: async (settings, request) => (request.dryRun || checkWritable(settings), setup.maintenance.restore(settings, request)),
      doctor: async (settings, request) => (!request.repair || request.dryRun || checkWritable(settings), setup.maintenance.doctor(settings, request)),
    },
    init: async (settings, sample) => (checkWritable(settings), setup.init(settings, sample)),
    // Clients of a server can change the shop.
    serve: async (settings, flags) => (checkWritable(settings), setup.serve(settings, flags)),
  };
}
