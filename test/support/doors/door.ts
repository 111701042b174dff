import type { ErrorCode } from '../../../src/domain/errors.js';
import { counted } from '../model/imports.js';
import type { Asked, Command } from '../model/obey.js';
import type { Scene } from '../scene.js';

/** What is seen of a shop from before its counter. */
export interface Seen {
  readonly pets: readonly (readonly [id: number, quantity: number, status: string])[];
  /** The pets at or below their low level. */
  readonly low: readonly number[];
}

/** A way into a shop, for the model: how each command is asked, and what is said to it in the words of the model. */
export interface Door {
  /** A created record, a code, the counts of an import, or that it is done. */
  readonly ask: (asked: Asked) => Promise<string>;
  readonly look: () => Promise<Seen>;
}

/** A door that can be opened wherever a shop lives. */
export interface DoorKind {
  readonly name: string;
  /** The commands this door has no words for. */
  readonly wordless: readonly Command['do'][];
  /** Whether this door has no words for a request, be it for its command or for how it is meant. */
  readonly lacks: (asked: Asked) => boolean;
  readonly open: (scene: Scene) => Door;
}

/** Something for every command, by what it does. */
export type ForEach<Result, More extends readonly unknown[] = []> = {
  readonly [Do in Command['do']]: (command: Command & { readonly do: Do }, ...more: More) => Result;
};

/** What a table has for one command. */
export function forOne<Result, More extends readonly unknown[]>(table: ForEach<Result, More>, command: Command, ...more: More): Result {
  return (table[command.do] as (command: Command, ...more: More) => Result)(command, ...more);
}

/** The fields of an import's report that every door tells. */
export interface Told {
  readonly applied: number;
  readonly unchanged: number;
  readonly alreadyApplied?: number;
  readonly errors: readonly { readonly code: ErrorCode }[];
}

/** The report of an import in the words of the model. */
export function countsOf({ applied, unchanged, alreadyApplied = 0, errors }: Told): string {
  const reasons = errors.map(({ code }) => code);
  return counted(applied, unchanged, reasons, alreadyApplied);
}

/** What makes a new record, whose id its answer names. */
const makers: ReadonlySet<Command['do']> = new Set(['create category', 'create pet', 'place', 'undo entry']);

/** Whether a command makes a new record, whose id its answer names. */
export function makes(command: Command): boolean {
  return makers.has(command.do);
}
