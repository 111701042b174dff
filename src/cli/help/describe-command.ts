import { exitCodes, readOnlyExitCode } from '../exit-codes.js';
import type { ErrorCode } from '../../domain/errors.js';
import type { AnyOperation } from '../../domain/operations.js';
import { ruleRefusals } from '../../domain/refusals.js';
import { usageOf, type Command } from '../command.js';
import { globalFlagEntries, ownFlagEntries, type FlagEntry } from './command-entries.js';

/** A command as `petstore commands --json` lists it. */
export interface CommandEntry {
  readonly command: string;
  readonly usage: string;
  readonly summary: string;
  readonly aliases: readonly string[];
  readonly arguments: readonly { readonly name: string; readonly required: boolean; readonly repeated: boolean }[];
  readonly flags: readonly FlagEntry[];
  readonly fields: readonly string[];
  readonly mutates: boolean;
  readonly stability: 'stable' | 'beta' | 'experimental';
  /** The ids of the operations that it calls. */
  readonly operations: readonly string[];
  readonly exitCodes: readonly number[];
  readonly examples: readonly string[];
}

/** The other spellings of a command: by the aliases of its group and its own. */
function spellingsOf({ path, aliases }: Command, groupAliases: readonly string[]): readonly string[] {
  const [group, ...verbs] = path;
  const verbPaths = [verbs, ...aliases.map((alias) => [...verbs.slice(0, -1), alias])];
  return [group, ...groupAliases].flatMap((name) => verbPaths.map((words) => [name, ...words].join(' '))).filter((words) => words !== path.join(' '));
}

/** How every command can end: failed, called wrongly, with an invalid setting, without its shop, or interrupted. */
const exitsOfEveryCommand: readonly ErrorCode[] = ['internal_error', 'usage', 'validation_failed', 'store_missing', 'cancelled'];

function refusalsOf(operation: AnyOperation): readonly ErrorCode[] {
  const repeated: readonly ErrorCode[] = operation.kind === 'write' ? ['idempotency_in_progress'] : [];
  return [...ruleRefusals(operation), ...repeated, 'unauthenticated'];
}

function exitCodesOf({ operations, exits, mutates }: Command): readonly number[] {
  const codes = [...exitsOfEveryCommand, ...exits, ...(mutates ? [readOnlyExitCode] : []), ...operations.flatMap(refusalsOf)];
  const ends = codes.map((code) => (typeof code === 'number' ? code : exitCodes[code]));
  return [...new Set([0, ...ends])].toSorted((one, other) => one - other);
}

const stabilities = ['experimental', 'beta', 'stable'] as const;

/** The entry of a command; `groupAliases` are the other names of its group. */
export function commandEntry(command: Command, groupAliases: readonly string[]): CommandEntry {
  const { path, operations } = command;
  return {
    command: path.join(' '),
    usage: `petstore ${usageOf(command)}`,
    summary: command.summary,
    aliases: spellingsOf(command, groupAliases),
    arguments: Object.entries(command.arguments).map(([name, { required, repeated }]) => ({ name, required, repeated })),
    flags: [...ownFlagEntries(command), ...globalFlagEntries()],
    fields: command.fields,
    mutates: command.mutates,
    stability: stabilities.find((one) => operations.some(({ stability }) => stability === one)) ?? 'stable',
    operations: operations.map(({ id }) => id),
    exitCodes: exitCodesOf(command),
    examples: command.examples,
  };
}
