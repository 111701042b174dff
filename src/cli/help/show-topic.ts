import type { Settings } from '../../settings/settings.js';
import type { Io } from '../io.js';
import { isColoured, paintFor } from '../output/colours.js';
import { pagedThrough } from '../output/paged-output.js';
import { markdownText } from './markdown-text.js';
import type { Guide } from './topics.js';

/** The maximum width of a line in cells: longer lines are hard to read. */
const widest = 80;

/** Shows a chapter of the guide, in a pager if it is longer than the terminal. */
export async function showTopic(io: Io, settings: Pick<Settings, 'colour' | 'pager'> | undefined, guide: Guide, chapter: string): Promise<void> {
  const paint = await paintFor(isColoured(io.stdout, settings?.colour ?? 'auto', io.environment));
  const text = markdownText(guide.read(chapter), { width: Math.min(widest, io.stdout.columns), paint });
  const { stdout } = pagedThrough(io, settings?.pager);
  await (stdout.show ? stdout.show([text]) : stdout.write(text));
}
