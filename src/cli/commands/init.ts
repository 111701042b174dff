import { commandForShop } from '../command-text.js';
import { command } from '../declare-command.js';
import type { Command } from '../command.js';
import { readOnlyExitCode } from '../exit-codes.js';
import { toggle } from '../flags.js';
import { isJson } from '../../settings/output-format.js';
import { sanitise } from '../output/sanitise.js';
import { writeText } from '../output/wrapped-text.js';

/** The command `init`. */
export const initCommand: Command = command({
  path: ['init'],
  summary: 'set up a shop; an existing shop is not changed',
  flags: { sample: toggle({ long: 'sample', summary: 'fill it with sample data' }) },
  exits: [readOnlyExitCode],
  run: async (context, { sample }) => {
    const { io, settings, paint, note, setup } = context;
    const { created, filled } = await setup.init(settings, sample === true);
    const store = sanitise(settings.where);
    if (isJson(settings.format)) return io.stdout.write(`${JSON.stringify({ store: settings.where, created, filled })}\n`);
    const done = created || filled;
    const what = filled ? 'Created a sample shop' : created ? 'Created an empty shop' : 'A shop exists already';
    await writeText(io.stdout, `${done ? paint.green('✓') : '·'} ${what} at ${store}${done ? '' : '; nothing was changed'}.\n`);
    if (!done) return;
    await note(`Next: ${commandForShop(filled ? ['pet', 'list'] : ['category', 'create', '--name', 'Dogs'], context)}`);
  },
  examples: ['petstore init', 'petstore init --sample', 'petstore --store /srv/shop.db init'],
});
