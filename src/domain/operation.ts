import type { Page, Lines } from './values/pages.js';
import type { Reading, Writing } from './transaction.js';
import type * as v from 'valibot';

/** How settled an operation is; anything but `stable` is marked in the document and on every answer. */
export type Stability = 'stable' | 'beta' | 'experimental';

/** What every operation says of itself, whichever way it is performed. */
export interface Description<Asked, Input> {
  /** The operationId of the contract. */
  readonly id: string;
  readonly summary: string;
  readonly tag: 'Pets' | 'Store';
  readonly stability: Stability;
  readonly kind: 'read' | 'write';
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path with its parameters in braces, each a field of the input. */
  readonly path: string;
  /** The status of success. */
  readonly status: 200 | 201 | 204;
  /** A flat record: path and query parameters by name, and the JSON body, where there is one, as `body`. */
  readonly input: v.GenericSchema<Asked, Input> & { readonly entries: v.ObjectEntries };
  /** What the contract shows of an answer (of each record where `paged`); `Output` may hold more, for people or for headers. */
  readonly output: v.GenericSchema;
  /** Whether the answer is one `Page` of a list. */
  readonly paged: boolean;
  /** The media type of the answer, where that is not JSON. */
  readonly answers?: string;
  readonly deprecated?: { readonly since: number; readonly sunset: number; readonly successor: string };
}

/** An operation that changes nothing; GET in the contract. */
export interface ReadOperation<Asked, Input, Output> extends Description<Asked, Input> {
  readonly kind: 'read';
  // A method, so that operations of every input stand in one list: whoever runs one checks the input by its schema first.
  run(tx: Reading, input: Input): Promise<Output>;
}

/** An operation that answers one page of a list. */
export interface ListOperation<Asked, Input, Item> extends ReadOperation<Asked, Input, Page<Item>> {
  /**
   * The whole list as lines of TSV, or its first `limit` records: byte for byte what its records would be written as.
   * The paging of the input does not count here. Undefined where the tables cannot write these columns in this order;
   * then the records are asked for.
   */
  lines?(tx: Reading, input: Input, columns: readonly string[], limit: number): AsyncIterable<Lines> | undefined;
}

/** An operation that runs in one write transaction with its checks, its changes and its ledger rows. */
export interface WriteOperation<Asked, Input, Output> extends Description<Asked, Input> {
  readonly kind: 'write';
  run(tx: Writing, input: Input): Promise<Output>;
}

/** One request and its answer, declared once; doors, checks, documents and clients derive from it. */
export type Operation<Asked, Input, Output> = ReadOperation<Asked, Input, Output> | WriteOperation<Asked, Input, Output>;

type Declared<Op> = Omit<Op, 'kind' | 'method' | 'paged' | 'status' | 'stability' | 'tag'> & {
  readonly tag: 'Pets' | 'Store';
  readonly stability?: Stability;
};

/** Declares an operation that answers one record. */
export function reads<Asked, Input, Output>(declared: Declared<ReadOperation<Asked, Input, Output>>): ReadOperation<Asked, Input, Output> {
  return { stability: 'stable', ...declared, kind: 'read', method: 'GET', status: 200, paged: false };
}

/** Declares an operation that answers one page of a list. */
export function lists<Asked, Input, Item>(declared: Declared<ListOperation<Asked, Input, Item>>): ListOperation<Asked, Input, Item> {
  return { stability: 'stable', ...declared, kind: 'read', method: 'GET', status: 200, paged: true };
}

/** Declares an operation that changes the shop. */
export function writes<Asked, Input, Output>(
  declared: Declared<WriteOperation<Asked, Input, Output>> & { readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'; readonly status: 200 | 201 | 204 },
): WriteOperation<Asked, Input, Output> {
  return { stability: 'stable', ...declared, kind: 'write', paged: false };
}

/** An operation of the contract that is no one transaction of its own: a stream, or many steps. The shop has a method for it, and each door its own code. */
export interface StepsOperation<Asked, Input> extends Description<Asked, Input> {
  readonly run?: undefined;
}

/** Declares an operation that the shop performs by a method of its own. */
export function performs<Asked, Input>(declared: Omit<StepsOperation<Asked, Input>, 'paged' | 'kind' | 'run'>): StepsOperation<Asked, Input> {
  return { ...declared, kind: declared.method === 'GET' ? 'read' : 'write', paged: false };
}
