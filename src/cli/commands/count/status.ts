import { hidesExpected, type Count } from '../../../domain/counts/count.js';
import type { CategoryFigures } from '../../../domain/counts/count-category.js';
import { getCount } from '../../../domain/counts/get-count.js';
import { listCountCategories } from '../../../domain/counts/list-count-categories.js';
import { isJson, jsonText } from '../../../settings/output-format.js';
import { HintedError } from '../../../settings/hint.js';
import type { Command, Context } from '../../command.js';
import { command } from '../../declare-command.js';
import { sanitiseCell } from '../../output/sanitise.js';
import { clockText } from '../../output/time-text.js';
import { columnList, formatOfResult, writeList, type Columns, type ColumnsByName } from '../../output/view.js';
import { writeText } from '../../output/wrapped-text.js';
import { watchable } from '../../watch/watchable.js';
import { countArgument, progressText, requestedCount } from './open-count.js';

const figures: ColumnsByName<CategoryFigures, keyof CategoryFigures | 'left'> = {
  categoryId: { heading: 'ID', value: ({ categoryId }) => categoryId, numeric: true },
  category: { heading: 'Category', least: 8, value: ({ category }) => category },
  pets: { heading: 'Pets', value: ({ pets }) => pets, numeric: true },
  counted: { heading: 'Counted', value: ({ counted }) => counted, numeric: true },
  left: { heading: 'Left', value: ({ pets, counted }) => pets - counted, numeric: true },
  agreeing: { heading: 'Agree', leaveOut: 1, value: ({ agreeing }) => agreeing, numeric: true },
  differing: { heading: 'Differ', value: ({ differing }) => differing, numeric: true, colour: ({ differing }) => (differing > 0 ? 'yellow' : undefined) },
};

const columns: Columns<CategoryFigures> = {
  all: columnList(figures),
  shown: Object.keys(figures),
  table: ['category', 'pets', 'counted', 'left', 'agreeing', 'differing'],
  json: Object.keys(figures),
  id: 'categoryId',
};

/** The same without what tells how many units are expected. */
const blindColumns: Columns<CategoryFigures> = { ...columns, table: ['category', 'pets', 'counted', 'left'] };

/** What a count is, and how far: two lines above its figures by category. */
function headText({ io, zone }: Context, count: Count): string {
  const { id, state, note, startedAt, startedBy, endedAt, endedBy, blind } = count;
  const begun = `started on ${clockText(startedAt, zone)} by ${startedBy}`;
  const ended = endedAt === undefined ? '' : `, ${state} on ${clockText(endedAt, zone)} by ${endedBy}`;
  const about = note === undefined || note === '' ? '' : ` (${note})`;
  const line = `Count ${id}${about}${blind ? ', blind' : ''}: ${begun}${ended}.`;
  return `${sanitiseCell(line)}\n${progressText(count)}.\n${io.stdout.isTerminal ? '\n' : ''}`;
}

const status = command({
  path: ['count', 'status'],
  summary: 'show how far a count is, by category',
  arguments: { count: countArgument },
  operations: [getCount, listCountCategories],
  exits: ['count_not_found'],
  columns,
  run: async (context, { count }) => {
    const { io, settings } = context;
    const format = formatOfResult(context);
    if (format === 'ids') throw new HintedError('usage', 'Figures have no ids.', { command: ['count', 'list', '--format', 'ids'] });
    const shop = await context.shop();
    const read = await shop.snapshot(async (call) => {
      const found = await requestedCount(call, count, 'status');
      return { found, categories: await call(listCountCategories, { countId: found.id }) };
    });
    const { found, categories } = read;
    if (isJson(format) && settings.fields === undefined) return io.stdout.write(jsonText({ ...found, categories }, format));
    if (format === 'table') await writeText(io.stdout, headText(context, found));
    await writeList(context, format, hidesExpected(found) ? blindColumns : columns, categories);
  },
  examples: ['petstore count status', 'petstore count status 3 --format csv', 'petstore count status 3 --json'],
});

/** The command `count status`. */
export const countStatus: Command = watchable(status);
