import type { Settings } from '../../settings/settings.js';
import type { Io } from '../io.js';
import { isColoured, paintFor } from '../output/colours.js';
import { writePaged } from '../output/paged-output.js';
import { markdownText } from './markdown-text.js';
import { topicList, type Guide } from './topics.js';

/** The maximum width of a line in cells: longer lines are hard to read. */
const widest = 80;

/** The list of the chapters with their titles, in Markdown. */
function topicsOf(guide: Guide): string {
  const rows = guide.chapters().map((chapter) => `| \`${chapter}\` | ${/^# (.*)$/m.exec(guide.read(chapter))?.[1] ?? ''} |`);
  return [
    '# Topics of petstore help',
    '',
    '| | |',
    '|---|---|',
    ...rows,
    '',
    'Show one with `petstore help <topic>`. Help for a command: `petstore help <command>`.',
  ].join('\n');
}

/** Shows a chapter of the guide, in a pager if it is longer than the terminal. */
export async function showTopic(io: Io, settings: Pick<Settings, 'colour' | 'pager'> | undefined, guide: Guide, chapter: string): Promise<void> {
  const paint = await paintFor(isColoured(io.stdout, settings?.colour ?? 'auto', io.environment));
  const text = markdownText(chapter === topicList ? topicsOf(guide) : guide.read(chapter), { width: Math.min(widest, io.stdout.columns), paint });
  await writePaged(io, text, () => settings?.pager);
}
