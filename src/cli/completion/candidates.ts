import type { LookupKind, LookupMatch } from '../../domain/lookup.js';
import { scopes } from '../../domain/tokens/token.js';
import {
  commandNamed,
  everyGlobalFlag,
  globalFlagEntries,
  isSpelt,
  nestedSummaries,
  ownFlagEntries,
  verbAliases,
  type FlagEntry,
} from '../help/command-entries.js';
import type { Named } from '../arguments.js';
import type { Command } from '../command.js';
import type { Setup } from '../program-setup.js';
import { groupNamed, groups } from '../command-groups.js';
import { sanitiseCell } from '../output/sanitise.js';
import { shells } from './shells.js';

/** One way a word can go on. */
export interface Candidate {
  readonly value: string;
  readonly description?: string | undefined;
}

/** What may stand at the end of a line. */
export interface Choices {
  readonly candidates: readonly Candidate[];
  /** Whether the names of files may stand there, which the shell knows best. */
  readonly files?: boolean;
  /** Whether the word may go on behind a candidate, as a list does. */
  readonly open?: boolean;
}

/** What the candidates are taken from besides the commands themselves; `flags` are the global ones on the line. */
export interface Sources {
  /** The chapters of the guide. */
  readonly guide: Setup['guide'];
  readonly lookUp: (noun: LookupKind, text: string, flags: Readonly<Record<string, string>>) => Promise<readonly LookupMatch[]>;
  readonly profiles: () => readonly string[];
}

const nothing: Choices = { candidates: [] };

/** The words of a line sorted out: arguments, flags that were given, and the flag whose value comes last. */
interface Sorted {
  readonly positional: readonly string[];
  readonly given: ReadonlySet<string>;
  readonly values: Readonly<Record<string, string>>;
  readonly pending: FlagEntry | undefined;
  /** Whether `--` ended the flags. */
  readonly ended: boolean;
}

function sorted(words: readonly string[], flags: readonly FlagEntry[]): Sorted {
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

/** Names that begin with what was typed; their other names only where none does, so that a name ends where it can. */
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

/** The next words of the commands that begin with these. */
function nextWords(commands: readonly Command[], typed: readonly string[], text: string): readonly Candidate[] {
  const names = new Map<string, string>();
  const others = new Map<string, string>();
  for (const command of commands) {
    const [, ...path] = command.path;
    const next = path[typed.length];
    if (next === undefined || !typed.every((word, index) => isSpelt(path[index] ?? '', word))) continue;
    const isLast = path.length === typed.length + 1;
    if (!names.has(next)) names.set(next, isLast ? command.summary : (nestedSummaries[next] ?? ''));
    const other = verbAliases[next];
    if (isLast && other !== undefined) others.set(other, command.summary);
  }
  return beginning(described(names), described(others), text);
}

/** The flags of a command, long ones and, behind a lone "-", short ones; one that was given does not come again unless it may. */
function flagNames(flags: readonly FlagEntry[], given: ReadonlySet<string>, text: string): readonly Candidate[] {
  const open = flags.filter(({ name, repeated }) => repeated || !given.has(name));
  const long = open.map(({ name, summary }) => ({ value: name, description: summary }));
  const short = open.flatMap(({ short: letter, summary }) => (letter === undefined ? [] : [{ value: letter, description: summary }]));
  return [...long, ...(text.startsWith('--') ? [] : short)].filter(({ value }) => value.startsWith(text));
}

const longestDescription = 60;

/** Records as candidates; a text that no shell can be trusted with is left out. */
function recordsOf(noun: LookupKind, found: readonly LookupMatch[], text: string): readonly Candidate[] {
  const shownAs = found.map(({ id, name }) => ({ id: String(id), name, shown: sanitiseCell(name).slice(0, longestDescription) }));
  if (noun === 'token') return shownAs.map(({ id, name }) => ({ value: name, description: `token ${id}` }));
  if (noun !== 'category' || /^[0-9]+$/.test(text)) return shownAs.map(({ id, shown }) => ({ value: id, description: shown }));
  const isTaken = (name: string, id: string): boolean => shownAs.some((other) => other.name === name && other.id !== id);
  return shownAs.map(({ id, name, shown }) => {
    // A name that two categories have tells neither, and one of digits or with a dash in front means something else.
    if (isTaken(name, id)) return { value: id, description: shown };
    const needsMark = text.startsWith('name:') || /^(?:[0-9]+$|-|name:)/.test(name);
    return { value: needsMark ? `name:${name}` : name, description: `category ${id}` };
  });
}

/** The part behind the last comma of a list, with what stands before it in front of every candidate. */
function listed(words: readonly string[], text: string): Choices {
  const parts = text.split(',');
  const start = parts
    .slice(0, -1)
    .map((part) => `${part},`)
    .join('');
  const rest = words.filter((word) => !parts.slice(0, -1).includes(word));
  return { candidates: rest.filter((word) => word.startsWith(parts.at(-1) ?? '')).map((word) => ({ value: `${start}${word}` })), open: true };
}

const startingWith = (list: readonly string[], text: string): Choices => ({
  candidates: list.filter((word) => word.startsWith(text)).map((word) => ({ value: word })),
});

/** The values that name something; `flags` are the global flags on the line. */
async function namedValues(named: Named | undefined, text: string, sources: Sources, flags: Sorted['values']): Promise<Choices> {
  if (named === undefined) return nothing;
  if (named === 'file') return { candidates: [], files: true };
  if (named === 'profile') return startingWith(sources.profiles(), text);
  if (named === 'shell') return startingWith(shells, text);
  if (named === 'topic') return startingWith(sources.guide.chapters(), text);
  return { candidates: recordsOf(named, await sources.lookUp(named, text, flags), text) };
}

interface FlagValue {
  readonly flag: FlagEntry;
  readonly command: Command | undefined;
}

async function flagValues({ flag, command }: FlagValue, text: string, sources: Sources, flags: Sorted['values']): Promise<Choices> {
  if (flag.choices) return startingWith(flag.choices, text);
  const all = [...Object.values(command?.flags ?? {}), ...everyGlobalFlag];
  const named = all.find(({ long }) => `--${long}` === flag.name)?.names;
  if (named === 'field') return listed(command?.fields ?? [], text);
  if (named === 'scope') return listed(scopes, text);
  return namedValues(named, text, sources, flags);
}

async function argumentValues(command: Command, args: readonly string[], text: string, sources: Sources, flags: Sorted['values']): Promise<Choices> {
  const all = Object.values(command.arguments);
  const last = all.at(-1);
  const argument = all[args.length] ?? (last?.repeated === true ? last : undefined);
  if (argument === undefined) return nothing;
  const choices = await namedValues(argument.names, text, sources, flags);
  // What was given already is not offered a second time.
  return { ...choices, candidates: choices.candidates.filter(({ value }) => !args.includes(value)) };
}

/** How a line may go on: what can stand for its last word, of which `text` was typed. */
export async function choicesFor(words: readonly string[], text: string, sources: Sources): Promise<Choices> {
  const everywhere = globalFlagEntries();
  const [noun] = sorted(words, everywhere).positional;
  if (noun === 'help') return helpWords(sorted(words, everywhere).positional.slice(1), text, sources);
  const group = groupNamed(noun);
  const commands = (await group?.load()) ?? [];
  const { positional } = sorted(words, [...commands.flatMap(ownFlagEntries), ...everywhere]);
  const command = commandNamed(commands, positional);
  const flags = [...(command ? ownFlagEntries(command) : []), ...everywhere];
  const { given, values, pending, ended } = sorted(words, flags);
  const valueOf = (flag: FlagEntry, typed: string): Promise<Choices> => flagValues({ flag, command }, typed, sources, values);
  if (pending && !(pending.valueOptional === true && text.startsWith('-'))) return valueOf(pending, text);
  const [, name, typed] = ended ? [] : (/^(--[\w-]+)=(.*)$/s.exec(text) ?? []);
  const assigned = flags.find((flag) => flag.name === name && flag.value !== undefined);
  if (assigned && typed !== undefined) return prefixed(`${name}=`, await valueOf(assigned, typed));
  if (text.startsWith('-') && !ended) return { candidates: flagNames(flags, given, text) };
  if (group === undefined) return noun === undefined ? { candidates: groupNames(text) } : nothing;
  if (command === undefined) return { candidates: nextWords(commands, positional.slice(1), text) };
  const choices = await argumentValues(command, positional.slice(command.path.length), text, sources, values);
  // Nothing but flags can follow, so they are shown without a dash to ask for them.
  const flagsOnly = text === '' && choices.candidates.length === 0 && Object.keys(command.arguments).length === 0;
  return flagsOnly ? { candidates: flagNames(flags, given, '--') } : choices;
}

function prefixed(start: string, { candidates, ...others }: Choices): Choices {
  return { ...others, candidates: candidates.map(({ value, description }) => ({ value: `${start}${value}`, description })) };
}

/** `help` takes the words of a command, or a topic. */
async function helpWords(words: readonly string[], text: string, sources: Sources): Promise<Choices> {
  if (words.length === 0) {
    const found = sources.guide
      .chapters()
      .filter((topic) => topic.startsWith(text))
      .map((value) => ({ value, description: 'topic' }));
    return { candidates: [...groupNames(text).filter(({ value }) => value !== 'help'), ...found] };
  }
  const commands = (await groupNamed(words[0])?.load()) ?? [];
  return { candidates: nextWords(commands, words.slice(1), text) };
}
