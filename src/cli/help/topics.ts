/** The chapters of data/guide, which ship with the program. */
export interface Guide {
  /** The names of the chapters: of their files, without the ending. */
  readonly chapters: () => readonly string[];
  /** The Markdown of a chapter. */
  readonly read: (chapter: string) => string;
}

/** Other names of chapters. */
const aliases: Readonly<Record<string, string>> = { formatting: 'output', import: 'imports' };

/** The chapter that the words after `help` name, or undefined when they name none. */
export function chapterNamed(guide: Guide, words: readonly string[]): string | undefined {
  const [word = '', ...others] = words;
  if (others.length > 0) return undefined;
  const chapter = Object.hasOwn(aliases, word) ? aliases[word] : word;
  return guide.chapters().find((name) => name === chapter);
}

/** Every word that names a chapter. */
export const topicWords = (guide: Guide): readonly string[] => [...guide.chapters(), ...Object.keys(aliases)];
