// Checks the npm package: its installation and use with the pinned Node.js and with the others that it supports.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { unpackOtherNode } from '../packages.js';
import { names, node, output } from '../places.js';
import { pinnedEnvironment } from '../program.js';
import { say, shell } from '../run.js';

/** The line of README.md, for a prefix of its own; then a shop, an import, the board and the documentation. Node.js 20 needs the install scripts, which compile. */
const line = `npm install --global $SCRIPTS --prefix "$PWD/prefix" --no-audit --no-fund --loglevel=error "$FILE" > /dev/null
export PATH="$PWD/prefix/bin:$PATH" PETSTORE_STORE="$PWD/shop.db" PETSTORE_CONFIG="$PWD/config.json"
petstore init --sample > /dev/null 2>&1
petstore inventory import prefix/lib/node_modules/petstore/data/delivery.csv > /dev/null
petstore serve --port 0 > address 2> log &
server=$!
until [ -s address ]; do sleep 0.1; done
curl -sf "$(cat address)/board/" | grep -q '<title>'
for path in docs/ docs/swagger-ui-bundle.js pets/1; do curl -sf "$(cat address)/$path" > /dev/null; done
kill $server
wait $server
petstore --version`;

function checkWith(version, path, folder) {
  const SCRIPTS = version.startsWith('20.') ? '--ignore-scripts=false' : '--ignore-scripts';
  say(
    `  installed by npm, a shop, an import, the board and the documentation: ${shell(line, folder, { FILE: join(output, names.npm), PATH: path, SCRIPTS }).trim()}`,
  );
}

export function checkNpm() {
  const folder = mkdtempSync('/var/tmp/petstore-npm-');
  const folderOf = (version) => join(folder, version);
  try {
    for (const version of [node.version, ...Object.keys(node.others)]) mkdirSync(folderOf(version));
    const { PATH } = pinnedEnvironment();
    checkWith(node.version, PATH, folderOf(node.version));
    for (const version of Object.keys(node.others)) {
      unpackOtherNode(version, folderOf(version));
      checkWith(version, `${folderOf(version)}/bin:${process.env.PATH}`, folderOf(version));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
