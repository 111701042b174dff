/** The chapters of data/guide. */
export interface Guide {
  /** The names of the chapters: their file names without `.md`. */
  readonly chapters: () => readonly string[];
  /** The Markdown of a chapter. */
  readonly read: (chapter: string) => string;
}

/** The aliases of chapters. */
const aliases: Readonly<Record<string, string>> = { formatting: 'output', import: 'imports' };

/** The name of the page that lists the chapters. */
export const topicList = 'topics';

/** The chapter that the words after `help` name, or undefined. */
export function chapterNamed(guide: Guide, words: readonly string[]): string | undefined {
  const [word = '', ...others] = words;
  if (others.length > 0) return undefined;
  const chapter = Object.hasOwn(aliases, word) ? aliases[word] : word;
  if (chapter === topicList) return topicList;
  return guide.chapters().find((name) => name === chapter);
}

/** The names and aliases of all chapters. */
export const topicWords = (guide: Guide): readonly string[] => [topicList, ...guide.chapters(), ...Object.keys(aliases)];
