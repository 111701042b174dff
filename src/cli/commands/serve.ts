import { serveFlags } from '../serve-flags.js';
import { StoreError } from '../../domain/errors.js';
import { command } from '../declare-command.js';
import type { Command } from '../command.js';
import { sanitiseCell } from '../output/sanitise.js';

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
