import type { ErrorCode } from './errors.js';
import type { Scope } from './tokens/token.js';
import type { Page } from './values/pages.js';
import type { ReadTransaction, WriteTransaction } from './transaction.js';
import type * as v from 'valibot';

/** How stable the interface of an operation is; anything but `stable` is marked in the OpenAPI document and on every response. */
export type Stability = 'stable' | 'beta' | 'experimental';

/** How much an operation reads or changes: a few rows, one page of rows, or rows without a limit. A server runs `shop` on a worker thread. */
export type Cost = 'row' | 'page' | 'shop';

/** An example request and its response, for the OpenAPI document. */
export interface Example {
  /** The JSON request body, if the operation has one. */
  readonly body?: unknown;
  /** The response; for a list, one record. */
  readonly answer: unknown;
}

/** What every operation declares. */
export interface OperationDescription<RawInput, Input> {
  /** The operationId of the contract. */
  readonly id: string;
  readonly summary: string;
  /** What the operation does, in Markdown. */
  readonly description: string;
  readonly tag: 'Pets' | 'Codes' | 'Store' | 'Session';
  readonly stability: Stability;
  readonly kind: 'read' | 'write';
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path with its parameters in braces, each a field of the input. */
  readonly path: string;
  /** The HTTP status of success. */
  readonly status: 200 | 201 | 204;
  /** An object with path and query parameters by name, and the JSON request body, if there is one, as `body`. */
  readonly input: v.GenericSchema<RawInput, Input> & { readonly entries: v.ObjectEntries };
  /** The response in the contract (of each record where `paged`). `Output` may have more fields, for display or for headers. */
  readonly output: v.GenericSchema;
  /** The error codes of its own rules; those that follow from path, body and method are derived. */
  readonly refuses: readonly ErrorCode[];
  readonly example: Example;
  /** Declared as a method, because its parameter is then checked bivariantly and operations of all inputs fit one array. */
  costOf(input: Input): Cost;
  /** Whether the response is one `Page` of a list. */
  readonly paged: boolean;
  /** A scope that a token needs besides the one of the tag, such as to read the names of pets in the answer. */
  readonly alsoRequires?: Scope;
  /** The media type of the response, if it is not JSON. */
  readonly answers?: string;
  readonly deprecated?: { readonly since: number; readonly sunset: number; readonly successor: string };
}

/** An operation that changes nothing (GET). */
export interface ReadOperation<RawInput, Input, Output> extends OperationDescription<RawInput, Input> {
  readonly kind: 'read';
  // A method, for the reason at `costOf`. Callers check the input with `checkInput` first.
  run(tx: ReadTransaction, input: Input): Promise<Output>;
}

/** An operation that returns one page of a list. */
export type ListOperation<RawInput, Input, Item> = ReadOperation<RawInput, Input, Page<Item>>;

/** A record that a write touches. */
export type RecordName = `pet ${number}`;

/** An operation that checks, changes and writes ledger rows in one write transaction. */
export interface WriteOperation<RawInput, Input, Output> extends OperationDescription<RawInput, Input> {
  readonly kind: 'write';
  run(tx: WriteTransaction, input: Input): Promise<Output>;
  /**
   * The existing records that `run` reads or changes; a pet stands for its stock and its orders too. Writes of different records
   * may then run side by side. Without it, or where it returns undefined, `run` may touch anything and runs alone; only such an operation changes a category,
   * a setting or an order.
   */
  records?(input: Input): readonly RecordName[] | undefined;
  /** The bulk import that the operation undoes, too large for one `run`; undefined where it undoes none, and `run` is called. */
  importToUndo?(tx: ReadTransaction, input: Input): Promise<ImportToUndo<Output> | undefined>;
}

/** A bulk import that an operation undoes as a whole, and the answer of the operation. */
export interface ImportToUndo<Output> {
  readonly batchId: number;
  readonly allowShortage: boolean;
  readonly answer: Output;
}

/** An operation that runs in one transaction. Routes, input checks, the OpenAPI document and the remote client derive from it. */
export type Operation<RawInput, Input, Output> = ReadOperation<RawInput, Input, Output> | WriteOperation<RawInput, Input, Output>;

type DerivedMember = 'kind' | 'method' | 'paged' | 'status' | 'stability' | 'costOf';

type Declaration<Input, Op> = Omit<Op, DerivedMember> & {
  readonly stability?: Stability;
  /** The cost, or a function where it depends on the input. */
  readonly cost: Cost | ((input: Input) => Cost);
};

function costOf<Input>(cost: Cost | ((input: Input) => Cost)): (input: Input) => Cost {
  return typeof cost === 'function' ? cost : () => cost;
}

/** Declares an operation that reads one record or report. */
export function readOperation<RawInput, Input, Output>({
  cost,
  ...declared
}: Declaration<Input, ReadOperation<RawInput, Input, Output>>): ReadOperation<RawInput, Input, Output> {
  return { stability: 'stable', ...declared, kind: 'read', method: 'GET', status: 200, paged: false, costOf: costOf(cost) };
}

/** Declares an operation that reads one page of a list. */
export function listOperation<RawInput, Input, Item>({
  cost,
  ...declared
}: Declaration<Input, ListOperation<RawInput, Input, Item>>): ListOperation<RawInput, Input, Item> {
  return { stability: 'stable', ...declared, kind: 'read', method: 'GET', status: 200, paged: true, costOf: costOf(cost) };
}

/** Declares an operation that changes the shop. */
export function writeOperation<RawInput, Input, Output>({
  cost,
  ...declared
}: Declaration<Input, WriteOperation<RawInput, Input, Output>> & Pick<WriteOperation<RawInput, Input, Output>, 'method' | 'status'>): WriteOperation<
  RawInput,
  Input,
  Output
> {
  return { stability: 'stable', ...declared, kind: 'write', paged: false, costOf: costOf(cost) };
}

/** The rows of a file that is the request body: their schema and an example, for the OpenAPI document. */
export interface FileRows {
  readonly schema: v.GenericSchema;
  readonly example: readonly Readonly<Record<string, string | number>>[];
}

/** An operation that is not a single transaction: a stream, or several steps. `Shop` has a method for it. */
export interface CustomOperation<RawInput, Input> extends OperationDescription<RawInput, Input> {
  readonly run?: undefined;
  /** Set where the request body is a file of rows. */
  readonly rows?: FileRows;
}

/** Declares an operation that `Shop` performs by a method of its own. */
export function customOperation<RawInput, Input>({
  cost,
  ...declared
}: Omit<Declaration<Input, CustomOperation<RawInput, Input>>, 'run'> &
  Pick<CustomOperation<RawInput, Input>, 'method' | 'status' | 'stability'>): CustomOperation<RawInput, Input> {
  return { ...declared, kind: declared.method === 'GET' ? 'read' : 'write', paged: false, costOf: costOf(cost) };
}
