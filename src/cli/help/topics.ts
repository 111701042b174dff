import { meantChapter } from '../other-words.js';

/** The chapters of data/guide. */
export interface Guide {
  /** The names of the chapters: their file names without `.md`. */
  readonly chapters: () => readonly string[];
  /** The Markdown of a chapter. */
  readonly read: (chapter: string) => string;
}

/** The name of the page that lists the chapters. */
export const topicList = 'topics';

/** The chapter that the words after `help` name, or undefined. */
export function chapterNamed(guide: Guide, words: readonly string[]): string | undefined {
  const [word = '', ...others] = words;
  if (others.length > 0) return undefined;
  return [topicList, ...guide.chapters()].find((name) => name === (meantChapter(word) ?? word));
}
