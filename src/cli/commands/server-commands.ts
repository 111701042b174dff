import { StoreError } from '../../domain/errors.js';
import { HintedError } from '../../settings/hint.js';
import type { Command } from '../command.js';
import { command } from '../declare-command.js';
import { toggle } from '../flags.js';
import { sanitiseCell } from '../output/sanitise.js';
import { serveFlags } from '../serve-flags.js';

/** The command `serve`. */
export const serveCommand: Command = command({
  path: ['serve'],
  writesText: true,
  summary: 'serve the shop over HTTP',
  flags: serveFlags,
  run: async ({ io, settings, note, setup }, flags) => {
    if (flags.socket !== undefined && (flags.port ?? flags.host) !== undefined) {
      throw new StoreError('usage', '--socket excludes --host and --port.');
    }
    const server = await setup.serve(settings, flags);
    await io.stdout.write(`${io.stdout.isTerminal ? sanitiseCell(server.address) : server.address}\n`);
    let removePage: (() => void) | undefined;
    if (flags.open) {
      const { openInBrowser } = await import('../open-browser.js');
      removePage = openInBrowser(server.signInAddress(), io, (reason) => {
        void note(`The browser could not be started (${reason}); open ${server.address}/board/ yourself.`);
      });
    }
    // Without a terminal nobody can press Ctrl-C.
    if (io.stderr.isTerminal) await note('Press Ctrl-C to stop.');
    await server.ended.finally(removePage);
  },
  examples: ['petstore serve --open', 'petstore serve --host 0.0.0.0 --allowed-host shop.example', 'petstore serve --socket /srv/shop.sock'],
});

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

/** The command `openapi`. */
export const openapiCommand: Command = command({
  path: ['openapi'],
  summary: 'print the OpenAPI document of the HTTP interface',
  flags: { stableOnly: toggle({ long: 'stable-only', summary: 'leave out beta and experimental operations' }) },
  run: async ({ io, setup }, { stableOnly }) => {
    const document = await setup.openapi({ stableOnly: stableOnly === true });
    await io.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  },
  examples: ['petstore openapi', 'petstore openapi --stable-only > petstore.json'],
});
