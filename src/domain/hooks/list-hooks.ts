import * as v from 'valibot';
import { listOperation } from '../operation.js';
import { byId, page, pageParameters, type Page, type Slice } from '../values/pages.js';
import { flag, optional } from '../values/schemas.js';
import { exampleHook, hook, hookState, type Hook } from './hook.js';

/** Lists webhooks. */
export const listHooks = listOperation({
  id: 'listHooks',
  summary: 'List webhooks',
  description: 'Lists the webhooks with their position and what waits. Their secrets are never shown. Hooks are created on the machine of the shop.',
  tag: 'Store',
  alsoRequires: 'admin',
  stability: 'beta',
  path: '/store/hooks',
  input: v.strictObject({
    ...pageParameters(['id']),
    state: optional(hookState, 'Only hooks in this state.'),
    failing: flag('Only hooks whose next event failed at least once.'),
  }),
  output: hook,
  refuses: [],
  example: { answer: [exampleHook] },
  cost: ({ count }) => (count ? 'shop' : 'page'),
  run: (tx, { limit, cursor, sort, count, ...filter }): Promise<Page<Hook>> =>
    page('hooks', { limit, cursor, sort, count }, filter, {
      ...byId,
      list: (slice: Slice<'id'>) => tx.hooks.list(filter, slice),
      total: () => tx.hooks.count(filter),
    }),
});
