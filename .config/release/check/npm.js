// Checks the npm package: its installation and use with the pinned Node.js.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { names, output } from '../places.js';
import { pinnedEnvironment } from '../program.js';
import { say, shell } from '../run.js';

/** The line of README.md, for a prefix of its own; then a shop, an import and the board. */
const line = `npm install --global --ignore-scripts --prefix "$PWD/prefix" --no-audit --no-fund --loglevel=error "$FILE" > /dev/null
export PATH="$PWD/prefix/bin:$PATH" PETSTORE_STORE="$PWD/shop.db" PETSTORE_CONFIG="$PWD/config.json"
petstore init --sample > /dev/null 2>&1
petstore inventory import prefix/lib/node_modules/petstore/data/delivery.csv > /dev/null
petstore serve --port 0 > address 2> log &
server=$!
until [ -s address ]; do sleep 0.1; done
curl -sf "$(cat address)/board/" | grep -q '<title>'
kill $server
wait $server
petstore --version`;

export function checkNpm() {
  const folder = mkdtempSync('/var/tmp/petstore-npm-');
  try {
    const { PATH } = pinnedEnvironment();
    say(`  installed by npm, a shop, an import and the board: ${shell(line, folder, { FILE: join(output, names.npm), PATH }).trim()}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
