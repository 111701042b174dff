import type { ErrorCode, ErrorDetails, ReadingAdvice, StoreError } from '../domain/errors.js';
import { HintedError, type Hint } from '../settings/hint.js';
import type { GlobalFlags } from '../settings/setting-table.js';
import type { Settings } from '../settings/settings.js';
import { groupNamed } from './command-groups.js';
import { commandText, lineText, shopFlags, withFlags, withoutFlag, withShopFlags } from './command-text.js';

type HintMaker = (details: ErrorDetails) => Hint | undefined;

function toRun(...words: readonly (string | number)[]): Hint {
  return { command: words.map(String) };
}

const tokenAdvice: Hint = { advice: `Set PETSTORE_TOKEN to a token; create one with ${commandText(['token', 'create'])} on the machine of the shop.` };

/** The ledger entries of a batch, when the refusal is about undoing it. */
const batchLog: HintMaker = ({ batchId }) => (batchId === undefined ? undefined : toRun('log', '--batch', batchId));

const viewStock: HintMaker = ({ petId }) => (petId === undefined ? undefined : toRun('inventory', 'view', petId));

const emptyStock: HintMaker = ({ petId }) => (petId === undefined ? undefined : toRun('inventory', 'set', petId, 0));

function notUndoable({ batchId, entryId, reason }: ErrorDetails): Hint | undefined {
  if (reason === 'part_of_change') return entryId === undefined ? undefined : toRun('undo', entryId);
  if (reason === 'made_by_another') return entryId === undefined ? toRun('undo', '--list') : toRun('inventory', 'undo', '--entry', entryId);
  if (reason === 'changed_since' || reason === 'not_listed' || reason === 'no_former_values') return toRun('undo', '--list');
  if (batchId === undefined) return undefined;
  if (reason === 'last_change_is_import') return toRun('inventory', 'undo', batchId);
  if (reason === 'batch_refused') return toRun('inventory', 'batch', 'view', batchId);
  if (reason !== 'batch_created_pets') return toRun('log', '--batch', batchId);
  return {
    command: ['log', '--batch', String(batchId), '--kind', 'opening', '--fields', 'pet'],
    pipedTo: ['pet', 'delete', '-', '--yes'],
  };
}

function unreadable({ reason }: ErrorDetails): Hint | undefined {
  if (reason === 'inconsistent') return toRun('doctor');
  if (reason === 'foreign_objects') return toRun('doctor', '--repair');
  if (reason === 'not_repairable') return toRun('restore', '--help');
  return reason === 'unusable_path' ? { advice: 'Choose another path with --store <path>.' } : undefined;
}

/** What to do next after each refusal, where its error has no hint or advice of its own. */
const hintMakers: Readonly<Partial<Record<ErrorCode, HintMaker>>> = {
  usage: ({ reason }) => (reason === 'no_token' ? toRun('token', 'create', 'admin', '--scope', 'admin') : undefined),
  ambiguous_category: () => toRun('category', 'list'),
  ambiguous_pet: ({ petText }) => (petText === undefined ? undefined : toRun('pet', 'list', '--search', petText)),
  unauthenticated: () => tokenAdvice,
  invalid_token: () => tokenAdvice,
  pet_not_found: () => toRun('pet', 'list'),
  category_not_found: () => toRun('category', 'list'),
  code_not_found: () => toRun('code', 'list'),
  order_not_found: () => toRun('order', 'list'),
  token_not_found: () => toRun('token', 'list'),
  session_not_found: () => toRun('session', 'list'),
  count_not_found: () => toRun('count', 'list'),
  insufficient_stock: viewStock,
  out_of_stock: (details) => {
    const { petId, entryId } = details;
    return batchLog(details) ?? (entryId === undefined || petId === undefined ? viewStock(details) : toRun('log', '--pet', petId));
  },
  stock_reserved: (details) => batchLog(details) ?? { advice: 'Cancel or change an order first, or accept the shortage with --allow-shortage.' },
  pet_on_hold: ({ petId }) => (petId === undefined ? undefined : toRun('pet', 'release', petId)),
  status_conflict: (details) => {
    const { petId, orderIds } = details;
    return petId === undefined || orderIds === undefined ? emptyStock(details) : toRun('order', 'list', '--pet', petId, '--open');
  },
  order_complete: ({ orderId }) => (orderId === undefined ? undefined : toRun('order', 'reopen', orderId)),
  order_incomplete: ({ orderId }) =>
    orderId === undefined ? { advice: 'Name the pet with --pet, or leave out --complete.' } : toRun('order', 'edit', orderId, '--help'),
  pet_has_open_orders: ({ orderIds = [] }) => (orderIds.length === 0 ? undefined : toRun('order', 'cancel', ...orderIds)),
  pet_in_stock: emptyStock,
  category_in_use: ({ categoryText }) => (categoryText === undefined ? undefined : toRun('pet', 'list', '--category', categoryText)),
  code_taken: ({ petId }) => (petId === undefined ? undefined : toRun('pet', 'view', petId)),
  category_exists: ({ categoryId }) => (categoryId === undefined ? undefined : toRun('category', 'view', categoryId)),
  already_undone: batchLog,
  not_undoable: notUndoable,
  already_counting: ({ countId }) => (countId === undefined ? undefined : toRun('count', 'status', countId)),
  count_not_open: () => toRun('count', 'list', '--state', 'open'),
  not_in_count: () => ({ advice: 'Add the pet to the count with --also.' }),
  count_refused: () => ({ advice: 'Use --keep-going to change the other pets, or --allow-shortage to accept fewer units than are reserved.' }),
  file_exists: () => ({ advice: 'Choose another name, or replace it with --force.' }),
  store_not_empty: () => ({ advice: 'Choose another target with --to.' }),
  stock_changed: (details) => batchLog(details) ?? viewStock(details),
  validation_failed: ({ tokenId, reason }) => {
    if (reason === 'private_address') return { advice: 'Create the hook with --allow-private to send to it.' };
    return tokenId === undefined ? undefined : toRun('token', 'list');
  },
  unknown_pet: (details) => batchLog(details) ?? (details.orderId === undefined ? toRun('pet', 'list') : undefined),
  unknown_category: () => toRun('category', 'list'),
  unknown_code: () => toRun('code', 'list'),
  missing_column: () => toRun('help', 'imports'),
  ambiguous_columns: () => toRun('help', 'imports'),
  invalid_quantity: batchLog,
  store_busy: () => ({ advice: 'Try again, or wait longer with --wait <seconds>.' }),
  store_missing: ({ reason }) => (reason === 'database_missing' ? { advice: `Create it first (createdb), then run: ${commandText(['init'])}` } : toRun('init')),
  store_unreachable: ({ reason }) => {
    if (reason === 'not_confirmed') return { advice: `Do not repeat it: it takes effect when a standby confirms it. Check: ${commandText(['log'])}` };
    return reason === 'outcome_unknown' ? { advice: `Check before trying again: ${commandText(['log'])}` } : undefined;
  },
  store_unreadable: unreadable,
};

function readingFlags({ encoding, map }: ReadingAdvice): readonly string[] {
  return [...(encoding === undefined ? [] : ['--encoding', encoding]), ...(map === undefined ? [] : ['--map', map.join('=')])];
}

/** What to do after a refusal: its own hint, then its advice, then what follows from its code and details. */
export function hintOf(error: StoreError): Hint | undefined {
  if (error instanceof HintedError) return error.hint;
  if (error.details.readAs !== undefined) return { addedFlags: readingFlags(error.details.readAs) };
  if (error.advice !== undefined) return { advice: error.advice };
  return hintMakers[error.code]?.(error.details);
}

/** Whether a command needs the flags that name the shop; its help does not. */
function needsShop(words: readonly string[]): boolean {
  return words.at(-1) !== '--help' && groupNamed(words[0])?.opensShop === true;
}

/**
 * A hint as it is shown. Commands that open a shop name the shop of this command line, of which `typed` are the words;
 * without settings it is not known.
 */
export function hintText(hint: Hint, globalFlags: GlobalFlags, settings: Pick<Settings, 'store' | 'where'> | undefined, typed: readonly string[]): string {
  if ('advice' in hint) return hint.advice;
  if ('addedFlags' in hint) {
    const words = hint.addedFlags.includes('--encoding') ? withoutFlag(typed, '--encoding') : typed;
    return lineText(withFlags(words, hint.addedFlags), settings);
  }
  const { command: words, pipedTo } = hint;
  if (pipedTo !== undefined) {
    const flags = settings === undefined ? [] : shopFlags(globalFlags, settings);
    return [words, pipedTo].map((part) => commandText([...flags, ...part])).join(' | ');
  }
  return lineText(settings !== undefined && needsShop(words) ? withShopFlags(words, globalFlags, settings) : words, settings);
}
