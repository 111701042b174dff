import type { Operation, RecordName } from '../../src/domain/operation.js';
import type { Shop } from '../../src/domain/shop.js';
import type { LedgerDraft } from '../../src/domain/ledger/ledger-entry.js';
import type { WriteTransaction } from '../../src/domain/transaction.js';

type Touched = RecordName | `order ${number}` | 'any record';
type Touches = Readonly<Record<string, (...values: never[]) => readonly Touched[]>>;

const pet = (petId: number): readonly Touched[] => [`pet ${petId}`];
const order = (orderId: number): readonly Touched[] => [`order ${orderId}`];
/** Categories and settings are changed only by operations that run alone. */
const nothing = (): readonly Touched[] => [];
const subject = ({ petId, orderId }: { readonly petId?: number | undefined; readonly orderId?: number | undefined }): readonly Touched[] => [
  ...(petId === undefined ? [] : pet(petId)),
  ...(orderId === undefined ? [] : order(orderId)),
];

const anyRecord: readonly Touched[] = ['any record'];

/** The records that each method of a table touches; a method that is not listed may touch any. */
const methods: { readonly [Table in keyof WriteTransaction]?: Touches } = {
  pets: { get: pet, withDetails: pet, update: pet, setHold: pet, insert: nothing },
  stock: { get: pet, openOrders: pet, ownLowAt: pet, insert: pet, setQuantity: pet, remove: pet, setLowAt: pet },
  orders: { get: order, insert: subject, update: ({ id, petId }: { readonly id: number; readonly petId?: number }) => subject({ petId, orderId: id }) },
  ledger: {
    // The entries of a batch have no change of their own, which is what an undo of a single change needs.
    append: (draft: LedgerDraft) => (draft.batchId === undefined ? subject(draft) : anyRecord),
    version: subject,
    lastMovement: pet,
    lastSales: order,
  },
  categories: { get: nothing, find: nothing },
  settings: { get: nothing },
};

type Method = (...values: unknown[]) => Promise<unknown>;

/** A transaction that fails where an operation touches a record that it has neither named nor created. */
function checkedTransaction(tx: WriteTransaction, id: string, named: readonly RecordName[]): WriteTransaction {
  const allowed = new Set<string>(named);
  const guarded = (table: string, name: string, method: Method): Method => {
    return async (...values) => {
      const touches = (methods as Readonly<Record<string, Touches | undefined>>)[table]?.[name] as ((...given: unknown[]) => readonly Touched[]) | undefined;
      const foreign = touches?.(...values).filter((one) => !allowed.has(one)) ?? anyRecord;
      if (foreign.length > 0) throw new Error(`${id} touches ${foreign.join()} by ${table}.${name} and names only ${named.join()}.`);
      const result = await method(...values);
      if (name === 'insert' && typeof result === 'number') allowed.add(table === 'pets' ? `pet ${result}` : `order ${result}`);
      return result;
    };
  };
  const checkedMember = ([name, member]: readonly [string, unknown]): readonly [string, unknown] => {
    const members = Object.entries(typeof member === 'object' ? { ...member } : {});
    const isTable = members.some(([, value]) => typeof value === 'function');
    return [name, isTable ? Object.fromEntries(members.map(([method, value]) => [method, guarded(name, method, value as Method)])) : member];
  };
  // Every table of the transaction, so that a new one is checked too.
  return Object.fromEntries(Object.entries(tx).map(checkedMember)) as unknown as WriteTransaction;
}

function checked<RawInput, Input, Output>(operation: Operation<RawInput, Input, Output>): Operation<RawInput, Input, Output> {
  if (operation.kind === 'read' || operation.records === undefined) return operation;
  return {
    ...operation,
    run: (tx: WriteTransaction, input: Input) => {
      const records = operation.records?.(input);
      return operation.run(records === undefined ? tx : checkedTransaction(tx, operation.id, records), input);
    },
  };
}

/** The shop, where each operation fails that touches other records than it names. Has no effect on a shop behind a server. */
export function withCheckedRecords(shop: Shop): Shop {
  return {
    ...shop,
    call: (operation, input, options) => shop.call(checked(operation), input, options),
    callEach: (operation, inputs, options) => shop.callEach(checked(operation), inputs, options),
  };
}
