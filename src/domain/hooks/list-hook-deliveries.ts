import * as v from 'valibot';
import { listOperation } from '../operation.js';
import { byId, page, pageParameters, type Page, type Slice } from '../values/pages.js';
import { exampleDelivery, hookDelivery, hookIdParameter, keptDeliveries, type HookDelivery } from './hook.js';
import { requireHook } from './require-hook.js';

/** Lists the last attempts to send the events of a webhook. */
export const listHookDeliveries = listOperation({
  id: 'listHookDeliveries',
  summary: 'List the deliveries of a webhook',
  description: `Lists the last ${keptDeliveries} attempts to send events to a webhook, oldest first. What the receiver answered is never shown, only its status.`,
  tag: 'Store',
  alsoRequires: 'admin',
  stability: 'beta',
  path: '/store/hooks/{hookId}/deliveries',
  input: v.strictObject({ hookId: hookIdParameter, ...pageParameters(['id']) }),
  output: hookDelivery,
  refuses: [],
  example: { answer: [exampleDelivery] },
  cost: 'page',
  run: async (tx, { hookId, ...paging }): Promise<Page<HookDelivery>> => {
    await requireHook(tx, hookId);
    const list = (slice: Slice<'id'>): Promise<readonly HookDelivery[]> => tx.hooks.deliveries(hookId, slice);
    return page('hook deliveries', paging, { hookId }, { ...byId, list, total: () => tx.hooks.countDeliveries(hookId) });
  },
});
