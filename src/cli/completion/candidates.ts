import type { LookupMatch, LookupKind } from '../../domain/lookup.js';
import { commandNamed, everyGlobalFlag, globalFlagEntries, isWordOf, ownFlagEntries, type FlagEntry } from '../help/command-entries.js';
import type { Guide } from '../help/topics.js';
import type { Command } from '../command.js';
import { wordFlags } from '../flags.js';
import { groupNamed, groups, subgroupSummary, type Group } from '../command-groups.js';
import { wordsFrom, type Candidate, type CompletionSources, type Completions } from './completers.js';

/** What completion needs besides the commands themselves. */
export interface Sources {
  readonly guide: Guide;
  /** Records of the shop that the global flags on the line name. */
  readonly lookUp: (noun: LookupKind, text: string, flags: Readonly<Record<string, string>>) => Promise<readonly LookupMatch[]>;
  readonly profiles: CompletionSources['profiles'];
}

const nothing: Completions = { candidates: [] };

/** The words of a line: those of the command and its arguments, and its flags with their values. */
interface SplitLine {
  readonly positional: readonly string[];
  /** The names of the flags on the line. */
  readonly given: ReadonlySet<string>;
  /** The values of flags by name. */
  readonly values: Readonly<Record<string, string>>;
  /** The flag at the end whose value is to be completed. */
  readonly pending: FlagEntry | undefined;
  /** Whether a `--` ended the flags. */
  readonly ended: boolean;
}

/** Splits a line that is not complete: commander, which refuses one, cannot say which word is being typed. */
function splitLine(words: readonly string[], flags: readonly FlagEntry[]): SplitLine {
  const positional: string[] = [];
  const given = new Set<string>();
  const values: Record<string, string> = {};
  let pending: FlagEntry | undefined;
  let ended = false;
  for (const word of words) {
    if (pending && !(pending.valueOptional === true && word.startsWith('-'))) {
      values[pending.name] = word;
      pending = undefined;
      continue;
    }
    pending = undefined;
    if (word === '--') ended = true;
    else if (ended || !word.startsWith('-') || word === '-') positional.push(word);
    else {
      const [name = '', value] = word.split(/=(.*)/s);
      const flag = flags.find((one) => one.name === name || one.short === name);
      if (flag === undefined) continue;
      given.add(flag.name);
      if (value !== undefined) values[flag.name] = value;
      else if (flag.value !== undefined) pending = flag;
    }
  }
  return { positional, given, values, pending, ended };
}

/** The names that begin with what was typed, or else the aliases that do: an alias never keeps a name from being completed. */
function beginning(candidates: readonly Candidate[], others: readonly Candidate[], text: string): readonly Candidate[] {
  const found = candidates.filter(({ value }) => value.startsWith(text));
  return found.length > 0 ? found : others.filter(({ value }) => value.startsWith(text));
}

function groupNames(text: string): readonly Candidate[] {
  const names = groups.map(({ name, summary }) => ({ value: name, description: summary }));
  const others = groups.flatMap(({ aliases, summary }) => aliases.map((value) => ({ value, description: summary })));
  return beginning([...names, { value: 'help', description: 'help for a command or a topic' }], others, text);
}

function described(words: ReadonlyMap<string, string>): readonly Candidate[] {
  return [...words].map(([value, description]) => ({ value, description }));
}

/** The next words of the commands of a group, behind those that were typed. */
async function nextWords(group: Group, typed: readonly string[], text: string): Promise<readonly Candidate[]> {
  const names = new Map<string, string>();
  const others = new Map<string, string>();
  const at = typed.length + 1;
  for (const command of await group.load()) {
    const next = command.path[at];
    if (next === undefined || !typed.every((word, index) => isWordOf(command, index + 1, word))) continue;
    const isLast = command.path.length === at + 1;
    if (!names.has(next)) names.set(next, isLast ? command.summary : subgroupSummary(group, next));
    for (const alias of isLast ? command.aliases : []) others.set(alias, command.summary);
  }
  return beginning(described(names), described(others), text);
}

/** The flags of a command that are not on the line yet, and those that can be repeated; short ones only behind a single "-". */
function flagNames(flags: readonly FlagEntry[], given: ReadonlySet<string>, text: string): readonly Candidate[] {
  const unused = flags.filter(({ name, repeated }) => repeated || !given.has(name));
  const long = unused.map(({ name, summary }) => ({ value: name, description: summary }));
  const short = unused.flatMap(({ short: letter, summary }) => (letter === undefined ? [] : [{ value: letter, description: summary }]));
  return [...long, ...(text.startsWith('--') ? [] : short)].filter(({ value }) => value.startsWith(text));
}

interface LineContext {
  readonly sources: CompletionSources;
  readonly command: Command | undefined;
  /** The values of the flags on it. */
  readonly values: SplitLine['values'];
}

async function flagValues(flag: FlagEntry, text: string, line: LineContext): Promise<Completions> {
  if (flag.choices) return wordsFrom(flag.choices, text);
  const all = [...Object.values(line.command?.flags ?? {}), ...everyGlobalFlag];
  return all.find(({ long }) => `--${long}` === flag.name)?.complete?.(text, line.sources) ?? nothing;
}

async function argumentValues(args: readonly string[], text: string, line: LineContext): Promise<Completions> {
  const all = Object.values(line.command?.arguments ?? {});
  const last = all.at(-1);
  const taken = wordFlags(line.command?.flags ?? {}).filter(([, { long }]) => line.values[`--${long}`] === undefined);
  const argument = all[args.length] ?? (last?.repeated === true ? last : taken[args.length - all.length]?.[1]);
  const completions = (await argument?.complete?.(text, line.sources)) ?? nothing;
  // What was typed already is not offered again.
  return { ...completions, candidates: completions.candidates.filter(({ value }) => !args.includes(value)) };
}

/** What can complete the last word of a line, of which `text` was typed. */
export async function completionsFor(words: readonly string[], text: string, sources: Sources): Promise<Completions> {
  const everywhere = globalFlagEntries();
  const [noun, ...others] = splitLine(words, everywhere).positional;
  if (noun === 'help') return helpWords(others, text, sources.guide);
  const group = groupNamed(noun);
  const commands = (await group?.load()) ?? [];
  const { positional } = splitLine(words, [...commands.flatMap(ownFlagEntries), ...everywhere]);
  const command = commandNamed(commands, positional);
  const flags = [...(command ? ownFlagEntries(command) : []), ...everywhere];
  const { given, values, pending, ended } = splitLine(words, flags);
  const { profiles, lookUp } = sources;
  const line = {
    sources: { profiles, lookUp: (...asked: Parameters<CompletionSources['lookUp']>) => lookUp(...asked, values), fields: command?.fields ?? [] },
    command,
    values,
  };
  if (pending && !(pending.valueOptional === true && text.startsWith('-'))) return flagValues(pending, text, line);
  const [, name, typed] = ended ? [] : (/^(--[\w-]+)=(.*)$/s.exec(text) ?? []);
  const assigned = flags.find((flag) => flag.name === name && flag.value !== undefined);
  if (assigned && typed !== undefined) return prefixed(`${name}=`, await flagValues(assigned, typed, line));
  if (text.startsWith('-') && !ended) return { candidates: flagNames(flags, given, text) };
  if (group === undefined) return noun === undefined ? { candidates: groupNames(text) } : nothing;
  if (command === undefined) return { candidates: await nextWords(group, positional.slice(1), text) };
  const completions = await argumentValues(positional.slice(command.path.length), text, line);
  // A command without arguments takes only flags, so they are offered without a dash.
  const flagsOnly = text === '' && completions.candidates.length === 0 && Object.keys(command.arguments).length === 0;
  return flagsOnly ? { candidates: flagNames(flags, given, '--') } : completions;
}

function prefixed(start: string, { candidates, ...others }: Completions): Completions {
  return { ...others, candidates: candidates.map(({ value, description }) => ({ value: `${start}${value}`, description })) };
}

async function helpWords(words: readonly string[], text: string, guide: Guide): Promise<Completions> {
  if (words.length === 0) {
    const topics = wordsFrom(guide.chapters(), text).candidates.map(({ value }) => ({ value, description: 'topic' }));
    return { candidates: [...groupNames(text).filter(({ value }) => value !== 'help'), ...topics] };
  }
  const group = groupNamed(words[0]);
  return group === undefined ? nothing : { candidates: await nextWords(group, words.slice(1), text) };
}
