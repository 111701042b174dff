import type { Contracted } from '../../domain/operations.js';
import { answerName, answersList, bodyName, fileRows, type Part } from './schemas.js';

const at = '2026-11-20T09:30:00.000Z';
const pet = { id: 7, name: 'Rex', categoryId: 1, status: 'available' };
const category = { id: 1, name: 'Dogs', description: 'All breeds' };
const order = { id: 12, petId: 7, quantity: 1, shipDate: '2026-12-24T09:00:00.000Z', complete: false };
const item = { petId: 7, quantity: 3, status: 'available' };
const delivery = { id: 1208, at, actor: 'ana', source: 'http', kind: 'adjust', petId: 7, delta: 2, quantityAfter: 5 };
const entry = { ...delivery, note: 'delivery 4711' };
const rowError = { line: 3, petId: 99, column: 'petId', value: '99', code: 'unknown_pet', message: 'There is no pet 99.' };
const report = {
  batch: 41,
  dryRun: false,
  mode: 'atomic',
  total: 2,
  applied: 2,
  unchanged: 0,
  rejected: 0,
  alreadyApplied: 0,
  errors: [],
  errorsOmitted: 0,
};
const batch = {
  id: 41,
  kind: 'stock',
  state: 'applied',
  key: 'invoice 4711',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  actor: 'ana',
  at,
  mode: 'atomic',
  total: 2,
  applied: 2,
  unchanged: 0,
  rejected: 0,
};
const partly = { mode: 'keep-going', applied: 1, rejected: 1, errors: [rowError] };

/** One of each record, all of the same small shop. */
const records: Part = {
  NewPet: { name: 'Rex', categoryId: 1, status: 'available' },
  Pet: pet,
  PetDetails: { ...pet, category, inventory: { quantity: 3, reserved: 1, available: 2 }, openOrders: 1, version: 1208, createdAt: at, updatedAt: at },
  PetPatch: { name: 'Rex the Second' },
  NewCategory: { name: 'Dogs', description: 'All breeds' },
  Category: category,
  CategoryPatch: { description: null },
  Order: order,
  OrderPatch: { complete: true },
  InventoryItem: item,
  InventoryUpdate: { quantity: 3 },
  InventoryAdjustment: { delta: 2, note: 'delivery 4711' },
  LowLevel: { lowAt: 2 },
  LedgerEntry: entry,
  ImportReport: report,
  Batch: batch,
  BatchDetails: { ...batch, state: 'partial', ...partly },
  Summary: {
    categories: 3,
    pets: { available: 3, pending: 1, sold: 1 },
    orders: { draft: 1, open: 2, complete: 9 },
    units: { onHand: 44, reserved: 2, available: 42 },
    low: 1,
    lastBatches: [batch],
  },
  Calls: { operation: 'updateOrder', inputs: [{ orderId: 12, body: { complete: true } }] },
  AnyRecord: { ...order, complete: true },
  StockReportRow: { categoryId: 1, category: 'Dogs', status: 'available', pets: 2, onHand: 7, reserved: 2, available: 5 },
  MovementRow: { categoryId: 1, category: 'Dogs', opening: 5, received: 6, sold: 3, returned: 0, writtenOff: 1, counted: 0, closing: 7 },
  SellThroughRow: { categoryId: 1, category: 'Dogs', opening: 5, received: 6, sold: 3, returned: 0, closing: 7, sellThrough: 0.2727, daysOfStock: 70 },
};

/** Answers that differ from the usual record because of what was asked. */
const answers: Part = {
  updatePet: { ...pet, name: 'Rex the Second' },
  holdPet: { ...pet, status: 'pending' },
  updateCategory: { id: 1, name: 'Dogs' },
  updateOrder: { ...order, complete: true },
  adjustInventory: { ...item, quantity: 5 },
  undoEntry: { ...delivery, id: 1209, kind: 'undo', delta: -2, quantityAfter: 3, reverses: 1208 },
  undoBatch: { ...batch, state: 'undone', errors: [] },
  importInventory: { ...report, notInFile: 3 },
  streamEvents: `id: ${entry.id}\nevent: ${entry.kind}\ndata: ${JSON.stringify(entry)}\n\n`,
};

/** Bodies that differ from the usual record. */
const requests: Part = { placeOrder: { petId: 7, quantity: 1, shipDate: '2026-12-24T09:00:00Z' } };

/** The same two rows in each form a file can have. */
const files: Readonly<Record<string, readonly Part[]>> = {
  StockRow: [
    { petId: 7, expected: 3, quantity: 5 },
    { petId: 8, expected: 1, quantity: 0 },
  ],
  PetRow: [
    { name: 'Rex', category: 'Dogs', status: 'available', quantity: 3 },
    { name: 'Luna', category: 'Cats', status: 'pending', quantity: 1 },
  ],
};

/** The example of a successful answer. */
export function exampleOf(operation: Contracted, status: number): unknown {
  if (status === 207) return { ...report, ...partly };
  const example = answers[operation.id] ?? records[answerName(operation)];
  return answersList(operation) ? [example] : example;
}

/** The example of a JSON body. */
export function bodyExample(id: string): unknown {
  return requests[id] ?? records[bodyName(id) ?? ''];
}

function delimited(rows: readonly Part[], delimiter: string): string {
  const lines = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))].map((cells) => cells.join(delimiter));
  return `${lines.join('\n')}\n`;
}

/** The example of a file, by its media type. */
export function fileExamples(id: string): Part {
  const rows = files[fileRows[id] ?? ''] ?? [];
  return {
    'application/json': rows,
    'application/x-ndjson': rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    'text/csv': delimited(rows, ','),
    'text/tab-separated-values': delimited(rows, '\t'),
  };
}
