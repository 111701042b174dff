// Runs the commands of a typical day in a new sample shop, and prints each command line with its output.
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const store = join(mkdtempSync(join(tmpdir(), 'petstore-demo-')), 'shop.db');
// Without the settings of the user.
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PETSTORE_')));
const own = { PETSTORE_CONFIG: devNull, PETSTORE_PAGER: '' };
// In a pipe, the output is the same as in a terminal.
const asTerminal = process.stdout.isTTY ? {} : { PETSTORE_FORCE_TTY: '100', NO_COLOR: '1' };
const env = { ...environment, ...own, ...asTerminal, PETSTORE_STORE: store };
const styled = (code, text) => (process.stdout.isTTY && !process.env.NO_COLOR ? `\x1b[${code}m${text}\x1b[0m` : text);

const steps = [
  ['A sample shop to play in.', 'init --sample'],
  ['The whole shop at a glance.', 'status'],
  ['Some of its pets: fish come by the dozen, a dog is one of a kind.', 'pet list -L 8'],
  ['Last night the stock was counted. What would the file change?', 'inventory import data/recount.csv --dry-run'],
  ['Each row says what the counter expected to find, so nothing that changed meanwhile is overwritten.', 'inventory import data/recount.csv'],
  ['A delivery adds to what is there …', 'inventory import data/delivery.csv'],
  ['… and is never added twice, even when the file is sent again.', 'inventory import data/delivery.csv'],
  ['A customer orders five neon tetras: reserved at once, still on hand.', 'order place --pet 3 --quantity 5'],
  ['', 'inventory view 3'],
  ['She picks them up.', 'order complete 90'],
  ['Every change has left its entry in the ledger: this is the story of pet 3.', 'log --pet 3'],
  ['', 'status'],
];

for (const [why, line] of steps) {
  console.log(`${why && `\n${styled(2, `# ${why}`)}`}\n${styled(1, `$ petstore ${line}`)}`);
  const { status } = spawnSync(process.execPath, ['bin/petstore.js', ...line.split(' ')], { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) {
    console.error(`The demo stops here: that command ended with ${status ?? 'a signal'}.`);
    process.exit(1);
  }
}

console.log(`
The shop is the file ${store}. Go on in it:

  export PETSTORE_STORE=${store}
  node bin/petstore.js inventory list --low
  node bin/petstore.js order list --open
  node bin/petstore.js help`);
