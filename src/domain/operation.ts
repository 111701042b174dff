import type { ErrorCode } from './errors.js';
import type { Page, Lines } from './values/pages.js';
import type { ReadTransaction, WriteTransaction } from './transaction.js';
import type * as v from 'valibot';

/** How settled an operation is; anything but `stable` is marked in the document and on every answer. */
export type Stability = 'stable' | 'beta' | 'experimental';

/** How much of the shop an operation reads or changes: a few rows, a page of rows, or rows without a limit. A server runs `shop` on a thread of its own. */
export type Cost = 'row' | 'page' | 'shop';

/** One request and its answer, for the document. */
export interface Example {
  /** The JSON body, where the operation takes one. */
  readonly body?: unknown;
  /** The answer; a list shows one record. */
  readonly answer: unknown;
}

/** What every operation declares, however it is performed. */
export interface OperationDescription<RawInput, Input> {
  /** The operationId of the contract. */
  readonly id: string;
  readonly summary: string;
  /** What the operation does, in Markdown. */
  readonly description: string;
  readonly tag: 'Pets' | 'Store';
  readonly stability: Stability;
  readonly kind: 'read' | 'write';
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path with its parameters in braces, each a field of the input. */
  readonly path: string;
  /** The status of success. */
  readonly status: 200 | 201 | 204;
  /** A flat record: path and query parameters by name, and the JSON body, where there is one, as `body`. */
  readonly input: v.GenericSchema<RawInput, Input> & { readonly entries: v.ObjectEntries };
  /** What the contract shows of an answer (of each record where `paged`); `Output` may hold more, for people or for headers. */
  readonly output: v.GenericSchema;
  /** The codes of the rules that refuse it; those that follow from its path, body and method are derived. */
  readonly refuses: readonly ErrorCode[];
  readonly example: Example;
  /** A method, so that operations of every input stand in one list. */
  costOf(input: Input): Cost;
  /** Whether the answer is one `Page` of a list. */
  readonly paged: boolean;
  /** The media type of the answer, where that is not JSON. */
  readonly answers?: string;
  readonly deprecated?: { readonly since: number; readonly sunset: number; readonly successor: string };
}

/** An operation that changes nothing; GET in the contract. */
export interface ReadOperation<RawInput, Input, Output> extends OperationDescription<RawInput, Input> {
  readonly kind: 'read';
  // A method, so that operations of every input stand in one list: whoever runs one checks the input by its schema first.
  run(tx: ReadTransaction, input: Input): Promise<Output>;
}

/** An operation that answers one page of a list. */
export interface ListOperation<RawInput, Input, Item> extends ReadOperation<RawInput, Input, Page<Item>> {
  /**
   * The whole list as lines of TSV, or its first `limit` records: byte for byte what its records would be written as.
   * The paging of the input does not count here. Undefined where the tables cannot write these columns in this order;
   * then the records are asked for.
   */
  lines?(tx: ReadTransaction, input: Input, columns: readonly string[], limit: number): AsyncIterable<Lines> | undefined;
}

/** An operation that runs in one write transaction with its checks, its changes and its ledger rows. */
export interface WriteOperation<RawInput, Input, Output> extends OperationDescription<RawInput, Input> {
  readonly kind: 'write';
  run(tx: WriteTransaction, input: Input): Promise<Output>;
}

/** One request and its answer, declared once; doors, checks, documents and clients derive from it. */
export type Operation<RawInput, Input, Output> = ReadOperation<RawInput, Input, Output> | WriteOperation<RawInput, Input, Output>;

type DerivedMember = 'kind' | 'method' | 'paged' | 'status' | 'stability' | 'costOf';

type Declaration<Input, Op> = Omit<Op, DerivedMember> & {
  readonly stability?: Stability;
  /** What it costs, where that depends on the input by a function of it. */
  readonly cost: Cost | ((input: Input) => Cost);
};

function costOf<Input>(cost: Cost | ((input: Input) => Cost)): (input: Input) => Cost {
  return typeof cost === 'function' ? cost : () => cost;
}

/** Declares an operation that answers one record. */
export function readOperation<RawInput, Input, Output>({
  cost,
  ...declared
}: Declaration<Input, ReadOperation<RawInput, Input, Output>>): ReadOperation<RawInput, Input, Output> {
  return { stability: 'stable', ...declared, kind: 'read', method: 'GET', status: 200, paged: false, costOf: costOf(cost) };
}

/** Declares an operation that answers one page of a list. */
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

/** The rows of a file that an operation takes as its body: their schema, for the document, and two of them. */
export interface FileRows {
  readonly schema: v.GenericSchema;
  readonly example: readonly Readonly<Record<string, string | number>>[];
}

/** An operation of the contract that is not one transaction: a stream, or many steps. The shop has a method for it. */
export interface CustomOperation<RawInput, Input> extends OperationDescription<RawInput, Input> {
  readonly run?: undefined;
  /** The body is a file of these rows. */
  readonly rows?: FileRows;
}

/** Declares an operation that the shop performs by a method of its own. */
export function customOperation<RawInput, Input>({
  cost,
  ...declared
}: Omit<Declaration<Input, CustomOperation<RawInput, Input>>, 'run'> &
  Pick<CustomOperation<RawInput, Input>, 'method' | 'status' | 'stability'>): CustomOperation<RawInput, Input> {
  return { ...declared, kind: declared.method === 'GET' ? 'read' : 'write', paged: false, costOf: costOf(cost) };
}
