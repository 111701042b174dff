import type { LookupKind, LookupMatch } from '../../domain/lookup.js';
import { isPetName } from '../readers.js';
import { sanitiseCell } from '../output/sanitise.js';

/** One way to complete a word. */
export interface Candidate {
  readonly value: string;
  readonly description?: string | undefined;
}

/** Everything that can complete a word. */
export interface Completions {
  readonly candidates: readonly Candidate[];
  /** Whether names of files complete it too; the shell lists those itself. */
  readonly files?: boolean;
  /** Whether more text may follow a candidate, as in a list with commas; the shell then adds no space. */
  readonly open?: boolean;
}

/** Where the candidates of a value come from. */
export interface CompletionSources {
  /** Records of the shop whose id, name or code begins with a text. */
  readonly lookUp: (noun: LookupKind, text: string) => Promise<readonly LookupMatch[]>;
  /** The names of the saved profiles. */
  readonly profiles: () => readonly string[];
  /** The field names of the command on the line. */
  readonly fields: readonly string[];
}

/** Completes the value of an argument or a flag, of which `text` was typed. */
export type Completer = (text: string, sources: CompletionSources) => Completions | Promise<Completions>;

/** The words that begin with a text. */
export function wordsFrom(words: readonly string[], text: string): Completions {
  return { candidates: words.filter((word) => word.startsWith(text)).map((word) => ({ value: word })) };
}

/** Completes the word behind the last comma of a list; each candidate repeats the list before it. */
function listFrom(words: readonly string[], text: string): Completions {
  const typed = text.split(',');
  const last = typed.pop() ?? '';
  const start = typed.map((word) => `${word},`).join('');
  const { candidates } = wordsFrom(
    words.filter((word) => !typed.includes(word)),
    last,
  );
  return { candidates: candidates.map(({ value }) => ({ value: `${start}${value}` })), open: true };
}

/** Completes names of files. */
export const completeFiles: Completer = () => ({ candidates: [], files: true });

/** Completes names of profiles. */
export const completeProfiles: Completer = (text, { profiles }) => wordsFrom(profiles(), text);

/** Completes field names of the command, in a list with commas. */
export const completeFields: Completer = (text, { fields }) => listFrom(fields, text);

/** Completes one of a few words. */
export function completeWords(words: readonly string[]): Completer {
  return (text) => wordsFrom(words, text);
}

/** Completes some of a few words, in a list with commas. */
export function completeList(words: readonly string[]): Completer {
  return (text) => listFrom(words, text);
}

const longestDescription = 60;

/** Records as candidates: tokens and categories by name, pets by name once a name is begun, others by id. */
function recordCandidates(noun: LookupKind, found: readonly LookupMatch[], text: string): readonly Candidate[] {
  const records = found.map(({ id, name }) => ({ id: String(id), name, shown: sanitiseCell(name).slice(0, longestDescription) }));
  if (noun === 'token') return records.map(({ id, name }) => ({ value: name, description: `token ${id}` }));
  const isNamed = noun === 'category' || (noun === 'pet' && text !== '');
  if (!isNamed || /^[0-9]+$/.test(text)) return records.map(({ id, shown }) => ({ value: id, description: shown }));
  const isTaken = (name: string, id: string): boolean => records.some((other) => other.name === name && other.id !== id);
  return records.map(({ id, name, shown }) => {
    // A name that two records share is ambiguous. A name of digits, or with a leading dash, and the name of a pet that looks like a number, needs the prefix "name:".
    if (isTaken(name, id)) return { value: id, description: shown };
    const needsPrefix = text.startsWith('name:') || /^(?:[0-9]+$|-|name:)/.test(name) || (noun === 'pet' && !isPetName(name));
    return { value: needsPrefix ? `name:${name}` : name, description: `${noun} ${id}` };
  });
}

/** Completes records of the shop. */
export function completeRecords(noun: LookupKind): Completer {
  return async (text, { lookUp }) => {
    const found = await lookUp(noun, text);
    const records = found.filter(({ code }) => code === undefined);
    const codes = found.flatMap(({ code, name }) =>
      code === undefined ? [] : [{ value: code, description: sanitiseCell(name).slice(0, longestDescription) }],
    );
    return { candidates: [...recordCandidates(noun, records, text), ...codes] };
  };
}
