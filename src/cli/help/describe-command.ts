import { exitCodes } from '../exit-codes.js';
import type { ErrorCode } from '../../domain/errors.js';
import type { AnyOperation } from '../../domain/operations.js';
import { ruleRefusals } from '../../domain/refusals.js';
import { usageOf, type Command } from '../command.js';
import { argumentEntries, globalFlagEntries, ownFlagEntries, verbAliases, type ArgumentEntry, type FlagEntry } from './command-entries.js';

/** A command as a program may read about it. */
export interface CommandEntry {
  readonly command: string;
  readonly usage: string;
  readonly summary: string;
  readonly aliases: readonly string[];
  readonly arguments: readonly ArgumentEntry[];
  readonly flags: readonly FlagEntry[];
  readonly fields: readonly string[];
  readonly mutates: boolean;
  readonly stability: 'stable' | 'beta' | 'experimental';
  /** The operations of the HTTP interface behind it. */
  readonly operations: readonly string[];
  readonly exitCodes: readonly number[];
  readonly examples: readonly string[];
}

/** The other spellings of a command: its noun and its verb by their other names. */
function aliasesOf(path: readonly string[], nounAliases: readonly string[]): readonly string[] {
  const [noun = '', ...verbs] = path;
  const verb = verbs.at(-1);
  const other = verb === undefined ? undefined : verbAliases[verb];
  const endings = [verbs, ...(other === undefined ? [] : [[...verbs.slice(0, -1), other]])];
  return [noun, ...nounAliases].flatMap((one) => endings.map((ending) => [one, ...ending].join(' '))).filter((words) => words !== path.join(' '));
}

/** How any command may end: failed, called wrongly, given settings out of range, without its shop, or interrupted. */
const everyCommand: readonly ErrorCode[] = ['internal_error', 'usage', 'validation_failed', 'store_missing', 'cancelled'];

/** What an operation may be refused with, by the rules of the shop or by a server. */
function refusalsOf(operation: AnyOperation): readonly ErrorCode[] {
  const repeated: readonly ErrorCode[] = operation.kind === 'write' ? ['idempotency_in_progress'] : [];
  return [...ruleRefusals(operation), ...repeated, 'unauthenticated'];
}

/** Every exit code of a command, each once, in order. */
function exitCodesOf({ does, endings }: Command): readonly number[] {
  const codes = [...everyCommand, ...endings, ...does.flatMap(refusalsOf)];
  const ends = codes.map((code) => (typeof code === 'number' ? code : exitCodes[code]));
  return [...new Set([0, ...ends])].toSorted((one, other) => one - other);
}

const settled = ['experimental', 'beta', 'stable'] as const;

/** Everything there is to say about a command; `nounAliases` are the other names of its first word. */
export function commandEntry(command: Command, nounAliases: readonly string[]): CommandEntry {
  const { path } = command;
  const own = ownFlagEntries(command);
  return {
    command: path.join(' '),
    usage: `petstore ${usageOf(command)}`,
    summary: command.summary,
    aliases: aliasesOf(path, nounAliases),
    arguments: argumentEntries(command),
    flags: [...own, ...globalFlagEntries()],
    fields: command.fields,
    mutates: command.mutates,
    stability: settled.find((one) => command.does.some(({ stability }) => stability === one)) ?? 'stable',
    operations: command.does.map(({ id }) => id),
    exitCodes: exitCodesOf(command),
    examples: command.examples,
  };
}
