import { setShopName } from '../../domain/set-shop-name.js';
import { argument } from '../arguments.js';
import { nameProblem } from '../../domain/values/text.js';
import type { Command } from '../command.js';
import { nameText } from '../readers.js';
import { columnsOf } from '../output/view.js';
import { changeCommand } from '../record-command.js';

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
