import type { ErrorCode } from './errors.js';
import { operations, type Contracted } from './operations.js';

const unreadable: readonly ErrorCode[] = ['import_refused', 'not_utf8', 'malformed_csv', 'malformed_json', 'empty_file', 'missing_column', 'duplicate_column'];
const selling: readonly ErrorCode[] = ['pet_on_hold', 'insufficient_stock', 'order_incomplete'];
const takenBack: readonly ErrorCode[] = ['already_undone', 'not_undoable', 'out_of_stock', 'stock_reserved'];

const byOperation: Readonly<Record<string, readonly ErrorCode[]>> = {
  createPet: ['unknown_category'],
  replacePet: ['unknown_category', 'status_conflict'],
  updatePet: ['unknown_category', 'status_conflict'],
  deletePet: ['pet_has_open_orders', 'pet_in_stock'],
  deleteCategory: ['category_in_use', 'unknown_category', 'validation_failed'],
  placeOrder: ['unknown_pet', ...selling],
  updateOrder: ['unknown_pet', ...selling, 'out_of_stock', 'order_complete'],
  cancelOrder: ['order_complete'],
  setInventory: ['stock_changed', 'stock_reserved'],
  adjustInventory: ['out_of_stock', 'stock_reserved'],
  undoEntry: [...takenBack, 'validation_failed'],
  undoBatch: takenBack,
  importPets: unreadable,
  importInventory: [...unreadable, 'unknown_column', 'ambiguous_columns'],
  streamEvents: ['invalid_cursor'],
};

/** The records that an operation looks for by the ids of its path. */
function missingRecords({ path }: Contracted): readonly ErrorCode[] {
  return [...path.matchAll(/\{(\w+)Id\}/g)].map(([, noun]) => `${noun}_not_found` as ErrorCode);
}

/** What the rules of the shop refuse in an operation, whoever asks for it; `callEach` passes on what the others refuse. */
export function ruleRefusals(operation: Contracted): readonly ErrorCode[] {
  const others = operation.id === 'callEach' ? operations.filter(({ kind }) => kind === 'write').flatMap(ruleRefusals) : [];
  return [...new Set([...missingRecords(operation), ...(byOperation[operation.id] ?? []), ...others])];
}
