import type { Call } from '../../domain/call.js';
import { reportMovements } from '../../domain/reports/report-movements.js';
import { formatDateTime } from '../../domain/values/time.js';
import { dayAt, startOfDay, type TimeZone } from '../../domain/values/time-zone.js';
import { HintedError } from '../../settings/hint.js';
import { getShopSettings } from '../../domain/get-shop-settings.js';
import { getSummary } from '../../domain/reports/get-summary.js';
import { shownUnhealthyHooks, type Summary } from '../../domain/reports/summary.js';
import { commandForShop } from '../command-text.js';
import { command, watchable } from '../declare-command.js';
import type { Command, Context } from '../command.js';
import { isJson, jsonText } from '../../settings/output-format.js';
import { grouped } from '../output/numbers.js';
import { listTime } from '../output/time-text.js';
import { columnsOf, formatOfResult, writeList } from '../output/view.js';

interface Figure {
  readonly figure: string;
  readonly value: string | number;
  /** The command that lists what needs attention; absent where nothing does. */
  readonly list?: string | undefined;
}

const figureColumns = columnsOf<Figure>({
  figure: { heading: 'Figure', least: 8 },
  value: {
    heading: 'Value',
    wraps: true,
    least: 10,
    text: ({ value, list }) => `${typeof value === 'number' ? grouped(value) : value}${list === undefined ? '' : ` (${list})`}`,
    colour: ({ list }) => (list === undefined ? undefined : 'yellow'),
  },
});

async function todayText(call: Call, now: number, zone: TimeZone): Promise<string> {
  const rows = await call(reportMovements, { from: formatDateTime(startOfDay(dayAt(now, zone), zone)) });
  const sum = (name: 'sold' | 'received' | 'returned'): number => rows.reduce((units, row) => units + row[name], 0);
  return `${grouped(sum('sold'))} sold, ${grouped(sum('received'))} received, ${grouped(sum('returned'))} returned`;
}

function unhealthyHooksText(hooks: Summary['unhealthyHooks']): string {
  const texts = hooks.map(
    ({ hookId, state, waiting }) =>
      `${hookId} ${state === 'paused' ? 'paused' : 'failing'} with ${grouped(waiting)} ledger ${waiting === 1 ? 'entry' : 'entries'} waiting`,
  );
  return `${texts.join(', ')}${hooks.length < shownUnhealthyHooks ? '' : ' …'}`;
}

/** The command that lists some records, if there are any. */
function listing(count: number, words: readonly string[], context: Context): string | undefined {
  return count === 0 ? undefined : commandForShop(words, context);
}

const status = command({
  path: ['status'],
  summary: 'show the figures and the address of the shop',
  operations: [getSummary, getShopSettings, reportMovements],
  columns: figureColumns,
  run: async (context) => {
    const { io, settings } = context;
    const format = formatOfResult(context);
    if (format === 'ids' || format === 'count') {
      throw new HintedError('usage', `status has no format ${format}.`, { command: ['pet', 'list', '--format', 'count'] });
    }
    const { call, where } = await context.shop();
    const summary = await call(getSummary, { tz: context.zone.name });
    const { shopName } = await call(getShopSettings, {});
    const { categories, pets, orders, units, low, short, overdue, unhealthyHooks, lastBatches } = summary;
    // With --fields, JSON has the same rows as the other formats.
    if (isJson(format) && settings.fields === undefined)
      return io.stdout.write(jsonText({ store: where, ...(shopName !== undefined && { shopName }), ...summary }, format));
    const now = io.now();
    // For people with commas between the thousands.
    const count = format === 'table' ? grouped : String;
    const figures: readonly Figure[] = [
      ...(shopName === undefined ? [] : [{ figure: 'shop', value: shopName }]),
      { figure: 'store', value: where },
      { figure: 'categories', value: categories },
      { figure: 'pets', value: `${count(pets.available)} available, ${count(pets.pending)} pending, ${count(pets.sold)} sold` },
      { figure: 'orders', value: `${count(orders.open)} open, ${count(orders.draft)} draft, ${count(orders.complete)} complete` },
      {
        figure: 'units',
        value: `${count(units.onHand)} on hand, ${count(units.reserved)} reserved, ${units.held > 0 ? `${count(units.held)} on hold, ` : ''}${count(units.available)} available`,
      },
      { figure: 'low stock', value: low, list: listing(low, ['inventory', 'list', '--low'], context) },
      { figure: 'short stock', value: short, list: listing(short, ['inventory', 'list', '--short'], context) },
      { figure: 'overdue orders', value: overdue, list: listing(overdue, ['order', 'list', '--overdue'], context) },
      ...(unhealthyHooks.length > 0
        ? [{ figure: 'webhooks', value: unhealthyHooksText(unhealthyHooks), list: listing(unhealthyHooks.length, ['hook', 'list'], context) }]
        : []),
      // For people: a script asks for a range.
      ...(format === 'table' ? [{ figure: 'today', value: await todayText(call, now, context.zone) }] : []),
      ...lastBatches.map(({ id, state, applied, actor, at }) => ({
        figure: `batch ${id}`,
        value: `${state}, ${count(applied)} ${applied === 1 ? 'row' : 'rows'}, by ${actor}${format === 'table' ? `, ${listTime(at, now, context.zone)}` : ` ${at}`}`,
      })),
    ];
    await writeList(context, format, figureColumns, figures);
  },
  examples: ['petstore status', 'petstore status --json'],
});

/** The command `status`. */
export const statusCommand: Command = watchable(status);
