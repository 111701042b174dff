import type { CallOptions } from '../domain/call.js';
import type { Caller } from '../domain/caller.js';
import { StoreError } from '../domain/errors.js';
import { maximumBatch, maximumHooks, maximumFilterValues, type Hook } from '../domain/hooks/hook.js';
import { requireHook } from '../domain/hooks/require-hook.js';
import type { HookChange, HookKeeper } from '../domain/hooks/hook-keeper.js';
import { checkedSecret, secretText } from '../domain/hooks/hook-secret.js';
import { positionAfter } from '../domain/ledger/ledger-position.js';
import { notFound } from '../domain/values/ids.js';
import type { Engine } from './engine.js';
import type { Queries } from './queries.js';
import { hookTable, deleteHook, ensureShopId, insertHook, moveHook, rotateSecret, updateHook } from './tables/hook-table.js';
import { crypto } from './secrets.js';
import { readTransaction } from './transactions.js';

const secretBytes = 32;
const shopIdBytes = 6;

// Loaded on use, because it loads ipaddr.js.
const hookUrls = () => import('../domain/hooks/hook-url.js');

function newHookSecret(secret: string | undefined): string {
  return secret === undefined ? secretText(crypto().randomBytes(secretBytes).toString('base64')) : checkedSecret(secret);
}

function checkList(name: string, values: readonly unknown[] | null | undefined): void {
  if ((values?.length ?? 0) > maximumFilterValues) throw new StoreError('validation_failed', `${name}: must have at most ${maximumFilterValues} values.`);
}

/** Refuses with `validation_failed` filters that are too long, and pets or a category that do not exist. */
async function checkFilters(queries: Queries, caller: Caller, { kinds, petId, categoryId, batch }: Omit<HookChange, 'url'>): Promise<void> {
  checkList('kind', kinds);
  checkList('pet', petId);
  if (batch !== undefined && !(Number.isInteger(batch) && batch >= 1 && batch <= maximumBatch)) {
    throw new StoreError('validation_failed', `batch: must be from 1 to ${maximumBatch}.`);
  }
  const { pets, categories } = readTransaction(queries, caller);
  for (const id of petId ?? []) if ((await pets.get(id)) === undefined) throw notFound('pet', id);
  if (typeof categoryId === 'number' && (await categories.get(categoryId)) === undefined) throw notFound('category', categoryId);
}

const required = (queries: Queries, id: number): Promise<Hook> => requireHook({ hooks: hookTable(queries) }, id);

/** The webhooks stored in an engine, for the owner of the shop. */
export function hookKeeper(engine: Engine, caller: Caller): HookKeeper {
  /** Changes a hook in one transaction and returns it. */
  const changed = (id: number, { dryRun }: Pick<CallOptions, 'dryRun'> = {}, change: (queries: Queries, hook: Hook) => Promise<void>): Promise<Hook> =>
    engine.write(
      async (queries) => {
        await change(queries, await required(queries, id));
        return required(queries, id);
      },
      { dryRun },
    );
  return {
    create: async (draft, { dryRun } = {}) => {
      const { checkedHookUrl } = await hookUrls();
      const url = checkedHookUrl(draft.url, draft.allowPrivate);
      const secret = newHookSecret(draft.secret);
      const shopId = crypto().randomBytes(shopIdBytes).toString('hex');
      return engine.write(
        async (queries) => {
          await checkFilters(queries, caller, draft);
          if ((await hookTable(queries).count({})) >= maximumHooks) {
            throw new StoreError('validation_failed', `The shop has ${maximumHooks} hooks already, the most that it can have.`);
          }
          await ensureShopId(queries, shopId);
          const id = await insertHook(queries, { ...draft, url }, secret, caller.clock());
          return { hook: await required(queries, id), secret };
        },
        { dryRun },
      );
    },
    edit: async (id, change, options) => {
      const { checkedHookUrl } = await hookUrls();
      return changed(id, options, async (queries, { allowPrivate }) => {
        await checkFilters(queries, caller, change);
        await updateHook(queries, id, { ...change, ...(change.url !== undefined && { url: checkedHookUrl(change.url, allowPrivate) }) });
      });
    },
    remove: (id, { dryRun } = {}) =>
      engine.write(
        async (queries) => {
          const found = await required(queries, id);
          await deleteHook(queries, id);
          return found;
        },
        { dryRun },
      ),
    rotate: async (id, given, options) => {
      const secret = newHookSecret(given);
      return { hook: await changed(id, options, (queries) => rotateSecret(queries, id, secret, caller.clock())), secret };
    },
    resend: (id, from, options) =>
      changed(id, options, async (queries) => {
        const { ledger } = readTransaction(queries, caller);
        if ((await ledger.get(from)) === undefined) throw notFound('entry', from);
        const before = from === 1 ? undefined : await ledger.get(from - 1);
        await moveHook(queries, id, before === undefined ? { id: from - 1 } : positionAfter(before));
      }),
  };
}
