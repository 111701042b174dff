import { commandForShop } from '../command-text.js';
import { command } from '../declare-command.js';
import type { Command } from '../command.js';
import { readOnlyExitCode } from '../exit-codes.js';
import { flag, toggle } from '../flags.js';
import { nameText } from '../readers.js';
import { checkInput } from '../../domain/check-input.js';
import { setShopName } from '../../domain/set-shop-name.js';
import { isJson } from '../../settings/output-format.js';
import { sanitise } from '../output/sanitise.js';
import { writeText } from '../output/wrapped-text.js';
import { argument } from '../arguments.js';
import { nameProblem } from '../../domain/values/text.js';
import { columnsOf } from '../output/view.js';
import { changeCommand } from '../record-command.js';

/** The command `init`. */
export const initCommand: Command = command({
  path: ['init'],
  summary: 'set up a shop; an existing shop is not changed',
  flags: {
    name: flag({ long: 'name', value: 'name', summary: 'the name of the shop', read: nameText }),
    sample: toggle({ long: 'sample', summary: 'fill it with sample data' }),
  },
  exits: [readOnlyExitCode],
  run: async (context, { name, sample }) => {
    const { io, settings, paint, note, setup } = context;
    const naming = name === undefined ? undefined : { body: { shopName: name } };
    // Before a shop is created, which would have no name after a refusal.
    if (naming) checkInput(setShopName, naming);
    const { created, filled } = await setup.init(settings, sample === true);
    const done = created || filled;
    if (done && naming) await context.call(setShopName, naming);
    const store = sanitise(settings.where);
    if (isJson(settings.format)) return io.stdout.write(`${JSON.stringify({ store: settings.where, created, filled })}\n`);
    const what = filled ? 'Created a sample shop' : created ? 'Created an empty shop' : 'A shop exists already';
    await writeText(io.stdout, `${done ? paint.green('✓') : '·'} ${what} at ${store}${done ? '' : '; nothing was changed'}.\n`);
    if (!done) return naming && note(`To name it: ${commandForShop(['rename', naming.body.shopName], context)}`);
    await note(`Next: ${commandForShop(filled ? ['pet', 'list'] : ['category', 'create', '--name', 'Dogs'], context)}`);
  },
  examples: ['petstore init --name "Paws & Fins"', 'petstore init --sample', 'petstore --store /srv/shop.db init'],
});

/** The command `rename`. */
export const renameCommand: Command = changeCommand({
  path: ['rename'],
  summary: 'name the shop; an empty name removes it',
  arguments: {
    name: argument({
      read: (text, { subject }) => (text === '' ? undefined : nameText(text, subject)),
      prompt: { ask: (dialogue) => dialogue.line({ message: 'Name of the shop:', problem: nameProblem }) },
    }),
  },
  flags: {},
  operation: setShopName,
  input: ({ name }) => ({ body: name === undefined ? {} : { shopName: name } }),
  columns: columnsOf({ shopName: { heading: 'Name' } }),
  sentence: ({ shopName }, verb) =>
    `The shop ${shopName === undefined ? verb('has', 'would have', 'still has') + ' no name' : `${verb('is', 'would be', 'is still')} called ${shopName}`}.`,
  examples: ['petstore rename "Paws & Fins"', 'petstore rename ""'],
});
