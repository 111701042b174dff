import type { ErrorCode } from '../../../src/domain/errors.js';
import { reportText } from '../reference-model/imports.js';
import type { CommandRequest, Command } from '../reference-model/apply-command.js';
import type { TestShop } from '../test-shop.js';

/** The inventory as an adapter reports it. */
export interface ObservedShop {
  readonly pets: readonly (readonly [id: number, quantity: number, status: string])[];
  /** The pets at or below their low level. */
  readonly low: readonly number[];
}

/** Sends the commands of the model to a shop and returns the answers in the terms of the model. */
export interface Adapter {
  /** The answer: a created record, an error code, the counts of an import, or "done". */
  readonly send: (asked: CommandRequest) => Promise<string>;
  readonly observe: () => Promise<ObservedShop>;
}

/** An interface of a shop that adapters can be created for. */
export interface AdapterKind {
  readonly name: string;
  /** The commands that this interface does not have. */
  readonly unsupported: readonly Command['do'][];
  /** Whether this interface cannot express a request, by its command or its options. */
  readonly cannotSend: (asked: CommandRequest) => boolean;
  readonly connect: (shop: TestShop) => Adapter;
}

/** A table with an entry for every command. */
export type CommandTable<Result, More extends readonly unknown[] = []> = {
  readonly [Do in Command['do']]: (command: Command & { readonly do: Do }, ...more: More) => Result;
};

/** Calls the entry of a table for one command. */
export function lookUpCommand<Result, More extends readonly unknown[]>(table: CommandTable<Result, More>, command: Command, ...more: More): Result {
  return (table[command.do] as (command: Command, ...more: More) => Result)(command, ...more);
}

/** The fields of an import report that every interface returns. */
export interface ReportFields {
  readonly applied: number;
  readonly unchanged: number;
  readonly alreadyApplied?: number;
  readonly errors: readonly { readonly code: ErrorCode }[];
}

/** The report of an import in the terms of the model. */
export function countsOf({ applied, unchanged, alreadyApplied = 0, errors }: ReportFields): string {
  const reasons = errors.map(({ code }) => code);
  return reportText(applied, unchanged, reasons, alreadyApplied);
}

/** Commands that create a record, whose id is in the answer. */
const makers: ReadonlySet<Command['do']> = new Set(['create category', 'create pet', 'place', 'undo entry', 'start count']);

/** Whether a command creates a record, whose id is in the answer. */
export function makes(command: Command): boolean {
  return makers.has(command.do);
}
