/** What the document says first: the rules that hold for every operation. */
export const introduction = `The operations of a pet shop: pets and their categories, orders, and stock that adds up.

**Records** are JSON. A list is a bare array. A field without a value is left out, never null. Unknown fields and unknown parameters are refused.

**Lists** come in pages of \`limit\` records. The \`Link\` header has the address of the next page; a walk neither skips nor repeats a record that stands throughout. \`count=true\` adds the total as \`X-Total-Count\`. Filters that take several values take them separated by commas.

**Errors** have the status of their code, and the body is always an Error.

**Retries**: send an \`Idempotency-Key\` with a change, and a repeat within 24 hours answers what the first request answered and changes nothing. A repeat with another body is refused. Imports keep their keys for ever, and answer a repeat with a new report.

**Concurrent changes**: a single record comes with an \`ETag\`. Send it as \`If-Match\`, and a change is refused when somebody else was faster; send it as \`If-None-Match\`, and a record you already have is not sent again.

**Stability**: operations are stable unless marked. \`x-stability-level: beta\` may still change, \`alpha\` is an experiment; answers of both, and of deprecated operations, carry \`Petstore-Stability\`. A deprecated operation answers with \`Deprecation\`, \`Sunset\` and the address of its successor.

HEAD goes with every GET, except for the event stream. Beside these operations a server answers \`/livez\` and \`/readyz\` for probes, \`/metrics\` for Prometheus, \`/openapi.json\` with this document, and \`/docs\`. The document and the files of \`/docs\` come with an \`ETag\` for \`If-None-Match\`, and compressed where \`Accept-Encoding\` allows \`gzip\` or \`br\`.`;

/** What each group of operations is about. */
export const tagWords: Readonly<Record<'Pets' | 'Store', string>> = {
  Pets: 'Pets and the categories they belong to.',
  Store: 'Orders, inventory, bulk imports, the ledger, and the figures of the shop.',
};

/** What the bearer token is. */
export const securityWords =
  'An access token made by `petstore token create`, sent as `Authorization: Bearer pst_…`. Each operation names the scope it asks for; writing includes reading, and `admin` includes everything. A server that only this machine can reach asks for no token until one was created.';

/** What each operation does, by its id. */
export const operationWords: Readonly<Record<string, string>> = {
  listPets: 'Lists the pets of the shop, by id unless `sort` says otherwise. Filters can be combined; a pet must meet all of them.',
  createPet:
    'Creates a pet together with its inventory entry. One unit is on hand unless the pet is created as `sold` or `quantity` says otherwise; created as `pending` it is held back from sale.',
  getPet:
    'Reads one pet. Deprecated: ask `GET /pets/{petId}/details`, which answers the same fields and more, or `GET /pets?id=1,2,3` for several pets at once.',
  getPetDetails: 'Reads one pet with its category, its stock, the number of its open orders, its version, and when it was created and last changed.',
  replacePet: 'Replaces a pet. An omitted `status` stays as it is. An `id` in the body must be the one of the path.',
  updatePet:
    'Changes the fields that are given. A `status` of `pending` holds the pet back from sale, `available` ends that, and `sold` sells its last unit. An `id` in the body must be the one of the path.',
  deletePet: 'Deletes a pet that has no open order and at most one unit on hand. Its history stays in the ledger, and its id is never used again.',
  holdPet: 'Takes a pet off sale, however many of it are on hand. Holding a held pet changes nothing.',
  releasePet: 'Puts a held pet back on sale. Releasing a pet that is not held changes nothing.',
  listCategories: 'Lists the categories of the shop.',
  createCategory: 'Creates a category. Names need not be unique.',
  getCategory: 'Reads one category.',
  replaceCategory: 'Replaces a category. An omitted `description` is removed. An `id` in the body must be the one of the path.',
  updateCategory: 'Changes the fields that are given; a `description` of null is removed. An `id` in the body must be the one of the path.',
  deleteCategory: 'Deletes a category without pets. With `moveTo` its pets move to another category first.',
  listOrders: 'Lists the orders of the shop that are not cancelled.',
  placeOrder:
    'Places an order and reserves its units, so that they cannot be sold twice. An order that names no pet is a draft and reserves nothing. With `complete` true it is a sale over the counter, reserved and fulfilled at once.',
  getOrder: 'Reads one order that is not cancelled.',
  updateOrder:
    'Changes an open order; `complete` true fulfils it, and its units leave the shop; `complete` false reopens a complete one, and they come back. The fields of a complete order are frozen. An `id` in the body must be the one of the path.',
  cancelOrder: 'Cancels an open order and gives its units free again. Cancelling a cancelled order changes nothing.',
  listInventory: 'Lists the inventory entries, one for each pet.',
  getInventoryItem: 'Reads the inventory entry of one pet.',
  setInventory: 'Sets the stock of a pet to what was counted. With `expected` it is refused when another quantity is on hand.',
  adjustInventory: 'Adds units to the stock of a pet, or takes some away. Safe to repeat only with an `Idempotency-Key`.',
  setLowAt: 'Sets the level at or below which a pet counts as low. Without `lowAt` the level of the store holds again.',
  setLowDefault: 'Sets the low-stock level of all pets that have none of their own. Without `lowAt` those pets are never low.',
  listBatches: 'Lists the bulk imports, also those that were refused.',
  getBatch: 'Reads one bulk import with the errors of its rows.',
  listLedger: 'Lists the entries of the ledger, oldest first. Every change of the shop is in it.',
  undoEntry: 'Takes a count or an adjustment back, by an entry of its own on top of what happened since. An entry can be taken back once.',
  getSummary: 'Reads the figures of the whole shop: categories, pets by status, orders, units, and the last bulk imports.',
  reportStock:
    'Counts pets and units by category and status. With `at` it counts what stood at that instant, by category alone: the ledger does not record status and reservations.',
  reportMovements:
    'Sums up what moved between two instants, by category or by day. In every row `closing` = `opening` + `received` − `sold` + `returned` − `writtenOff` + `counted`.',
  reportSellThrough:
    'Says how well stock sold between two instants, by category and, in the last row, in all: `sellThrough` is the share of the stocked units that sold, `daysOfStock` how long the rest lasts at that rate.',
  importPets:
    'Creates the pets of a file in one transaction: all of them, or with `mode=keep-going` the good ones. The same file or the same `Idempotency-Key` again creates nothing twice. Bodies may have 256 MiB, also unpacked where they are gzipped, and 20,000,000 rows; where too many imports are open, the answer is 503 before the body is read.',
  importInventory:
    'Applies a file of stock figures in one transaction: all of them, or with `mode=keep-going` the good ones. Rows either count (`quantity`) or adjust (`delta`); a row with `expected` is refused when another quantity is on hand. A JSON field that is present but null or empty is an error of its row. Bodies may have 256 MiB, also unpacked where they are gzipped, and 20,000,000 rows; where too many imports are open, the answer is 503 before the body is read.',
  undoBatch: 'Takes a bulk import of stock back in one transaction, on top of what happened since. An import can be taken back once.',
  callEach:
    'Asks one changing operation for several inputs in one transaction: all of them are done, or none. The token must have the scope of that operation, `pets:write` or `store:write`, and whatever it refuses is refused here.',
  streamEvents:
    'Follows the ledger as server-sent events: `id` is the id of a ledger entry, `event` its kind, and `data` the LedgerEntry as JSON. The stream starts now, after the entry that `after` names, or after the one of `Last-Event-ID`.',
};

/** What a parameter is wherever it stands, and `operationId.name` where an operation has its own meaning of it. */
const parameters: Readonly<Record<string, string>> = {
  petId: 'ID of the pet.',
  categoryId: 'ID of the category.',
  orderId: 'ID of the order.',
  batchId: 'ID of the bulk import.',
  entryId: 'ID of the ledger entry.',
  limit: 'The most records of one page.',
  cursor: 'The place to go on from, as the `Link` header of another page of the same list has it.',
  sort: 'What to sort by; a leading `-` turns the order round.',
  count: 'Whether to count all records that meet the filters, in `X-Total-Count`.',
  status: 'Only pets of one of these statuses.',
  'listPets.categoryId': 'Only pets of one of these categories.',
  'listInventory.categoryId': 'Only pets of one of these categories.',
  'listPets.id': 'Only the pets with these ids.',
  'listPets.q': 'Only pets whose name contains this text; case and accents do not matter.',
  'listCategories.q': 'Only categories whose name contains this text; case and accents do not matter.',
  'listCategories.name': 'Only categories of this name; case and accents do not matter.',
  'createPet.quantity': 'Units on hand to open with, instead of 1 (0 for a pet created as `sold`).',
  moveTo: 'ID of the category that the pets move to.',
  'listOrders.petId': 'Only orders for one of these pets.',
  complete: 'Only orders that are complete, or only those that are not.',
  draft: 'Only orders that name no pet yet, or only those that do.',
  shipDateFrom: 'Only orders with a ship date from here on: a date-time, or a day in UTC.',
  shipDateTo: 'Only orders with a ship date up to here: a date-time, or a day in UTC, which is included whole.',
  low: 'Only pets at or below their low-stock level.',
  short: 'Only pets of which more units are reserved than on hand.',
  allowShortage: 'Accepts a stock that does not cover what is reserved for open orders.',
  expected: 'Units that must be on hand for the change to be made.',
  'listLedger.petId': 'Only entries of these pets.',
  'listLedger.orderId': 'Only entries of these orders.',
  'listLedger.batchId': 'Only entries of these bulk imports.',
  kind: 'Only entries of these kinds.',
  actor: 'Only entries by this actor.',
  since: 'Only entries from here on: a date-time, or a day in UTC.',
  until: 'Only entries up to here: a date-time, or a day in UTC, which is included whole.',
  dryRun: 'Does everything and keeps nothing; answers what would happen.',
  mode: 'Whether one bad row refuses the whole file (`atomic`), or only itself (`keep-going`).',
  maxErrors: 'With `mode=keep-going`: refuses the whole file as soon as more rows than this are bad.',
  note: 'A note for the ledger.',
  onStale:
    'What to do with a row that expects another quantity than is on hand: refuse it (`fail`), set what was counted (`keep-count`), or move what is on hand by the difference (`keep-difference`).',
  createCategories: 'Creates the categories that the file names and the shop lacks.',
  at: 'The instant to report on: a date-time, or a day in UTC, at its end.',
  from: 'The start of the range: a date-time, or a day in UTC; the beginning of the shop unless given.',
  to: 'The end of the range: a date-time, or a day in UTC, which is included whole; now unless given.',
  by: 'What each row sums up.',
  after: 'ID of the last ledger entry that was seen; 0 for none.',
};

/** What a parameter of an operation is, or undefined when nobody wrote it down. */
export function parameterWords(operation: string, parameter: string): string | undefined {
  return parameters[`${operation}.${parameter}`] ?? parameters[parameter];
}
