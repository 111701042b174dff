import { HintedError } from '../../settings/hint.js';
import type { Command } from '../command.js';
import { command } from '../declare-command.js';
import { toggle } from '../flags.js';

/** The command `mcp`. */
export const mcpCommand: Command = command({
  path: ['mcp'],
  writesText: true,
  summary: 'offer the shop to a program by the Model Context Protocol',
  flags: { write: toggle({ long: 'write', summary: 'offer the tools that change the shop, too' }) },
  run: async ({ io, settings, note, hintFor, setup }, { write }) => {
    if (io.stdin.isTerminal)
      throw new HintedError('usage', 'petstore mcp is started by a program, which writes to its standard input.', { command: ['help', 'agents'] });
    await setup.mcp({
      write: write === true,
      input: io.stdin.bytes(),
      output: (text) => io.stdout.write(text),
      open: (actor) => setup.open({ ...settings, actor }),
      hint: hintFor,
      note,
    });
  },
  examples: ['petstore mcp', 'petstore --store shop.db mcp --write'],
});
