import type { ErrorCode } from '../../../src/domain/errors.js';
import { reportText } from '../reference-model/imports.js';
import type { CommandRequest, Command } from '../reference-model/apply-command.js';
import type { TestShop } from '../test-shop.js';

/** What is seen of a shop from before its counter. */
export interface ObservedShop {
  readonly pets: readonly (readonly [id: number, quantity: number, status: string])[];
  /** The pets at or below their low level. */
  readonly low: readonly number[];
}

/** A way into a shop, for the model: how each command is asked, and what is said to it in the words of the model. */
export interface Adapter {
  /** A created record, a code, the counts of an import, or that it is done. */
  readonly send: (asked: CommandRequest) => Promise<string>;
  readonly observe: () => Promise<ObservedShop>;
}

/** A door that can be opened wherever a shop lives. */
export interface AdapterKind {
  readonly name: string;
  /** The commands this door has no words for. */
  readonly unsupported: readonly Command['do'][];
  /** Whether this door has no words for a request, be it for its command or for how it is meant. */
  readonly cannotSend: (asked: CommandRequest) => boolean;
  readonly connect: (scene: TestShop) => Adapter;
}

/** Something for every command, by what it does. */
export type CommandTable<Result, More extends readonly unknown[] = []> = {
  readonly [Do in Command['do']]: (command: Command & { readonly do: Do }, ...more: More) => Result;
};

/** What a table has for one command. */
export function lookUpCommand<Result, More extends readonly unknown[]>(table: CommandTable<Result, More>, command: Command, ...more: More): Result {
  return (table[command.do] as (command: Command, ...more: More) => Result)(command, ...more);
}

/** The fields of an import's report that every door tells. */
export interface ReportFields {
  readonly applied: number;
  readonly unchanged: number;
  readonly alreadyApplied?: number;
  readonly errors: readonly { readonly code: ErrorCode }[];
}

/** The report of an import in the words of the model. */
export function countsOf({ applied, unchanged, alreadyApplied = 0, errors }: ReportFields): string {
  const reasons = errors.map(({ code }) => code);
  return reportText(applied, unchanged, reasons, alreadyApplied);
}

/** What makes a new record, whose id its answer names. */
const makers: ReadonlySet<Command['do']> = new Set(['create category', 'create pet', 'place', 'undo entry']);

/** Whether a command makes a new record, whose id its answer names. */
export function makes(command: Command): boolean {
  return makers.has(command.do);
}
