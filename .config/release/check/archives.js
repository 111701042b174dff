// Checks the archives: their contents and formats for every platform, and their use on this one.
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveName, names, node, output, platforms, version } from '../places.js';
import { megabytes } from '../archive.js';
import { run, say } from '../run.js';
import { withCleanRoot } from './clean-root.js';
import { killAndDoctor } from './kill.js';
import { checkTour } from './tour.js';

/** What `file` says of the program and of the addon of each platform. */
const formats = {
  'linux-x64': /^ELF 64-bit LSB .*x86-64/,
  'linux-arm64': /^ELF 64-bit LSB .*ARM aarch64/,
  'darwin-arm64': /^Mach-O 64-bit .*arm64/,
  'darwin-x64': /^Mach-O 64-bit .*x86_64/,
  'win32-x64': /^PE32\+ executable .*x86-64/,
};

function checkContents(platform) {
  const parent = mkdtempSync(join(tmpdir(), 'petstore-contents-'));
  try {
    const file = join(output, names.archive(platform));
    const isWindows = platform.startsWith('win32');
    if (isWindows) run('unzip', ['-q', file, '-d', parent]);
    else run('tar', ['-xzf', file, '-C', parent]);
    const folder = join(parent, archiveName(platform));
    const lib = join(folder, 'lib/petstore');
    for (const program of [isWindows ? 'node.exe' : 'node', `node_modules/better-sqlite3-13/prebuilds/${platform}.node`]) {
      const format = run('file', ['--brief', join(lib, program)]).trim();
      if (!formats[platform].test(format)) throw new Error(`${program} for ${platform} is of another format: ${format}`);
    }
    if (!readFileSync(join(lib, isWindows ? 'node.exe' : 'node'), 'latin1').includes(`v${node.version}`))
      throw new Error(`The Node.js for ${platform} is not ${node.version}.`);
    const addons = readdirSync(join(lib, 'node_modules'), { recursive: true }).filter((path) => path.endsWith('.node'));
    if (addons.length !== 1) throw new Error(`The archive for ${platform} has other addons too: ${addons.join(', ')}`);
    for (const name of [names.notices, 'LICENSE', 'LICENSE.node']) readFileSync(join(folder, 'share/doc/petstore', name));
    say(`  ${names.archive(platform)}: ${megabytes(statSync(file).size)}, formats and contents hold`);
  } finally {
    rmSync(parent, { recursive: true });
  }
}

/** Installations by another user, and refused ones. */
const otherInstallations = `
su ana -c "cd && sh /opt/$NAME/install.sh && ~/.local/bin/petstore --version && ~/.local/bin/petstore init --sample --store ~/shop.db && rm -rf ~/tour*"
su ana -c "cd && sh /opt/$NAME/install.sh --uninstall" > /dev/null
[ "$(find /home/ana/.local -type f -o -type l)" = "" ] && [ -e /home/ana/shop.db ]
mkdir /full && mount -t tmpfs -o size=20m tmpfs /full
if sh /opt/$NAME/install.sh /full; then exit 1; fi
[ "$(find /full -type f -o -type l)" = "" ]
if su ana -c "sh /opt/$NAME/install.sh /usr/local"; then exit 1; fi
[ -x /usr/local/bin/petstore ] && [ ! -e /usr/local/lib/petstore.new ]
`;

export async function checkArchives() {
  for (const platform of platforms) checkContents(platform);
  const platform = `${process.platform}-${process.arch}`;
  const name = archiveName(platform);
  await withCleanRoot((inRoot, folder) => {
    run('cp', [join(output, names.archive(platform)), join(folder, 'opt')]);
    // The lines of README.md.
    say(inRoot(`cd /opt && tar -xzf ${name}.tar.gz && sh ${name}/install.sh && petstore --version && petstore completion zsh > /dev/null && man -w petstore`));
    if (JSON.parse(inRoot('petstore version --json')).version !== version) throw new Error('petstore version names another version.');
    say(`  ${checkTour(inRoot, folder, '/usr/local')} commands of README.md print what it shows`);
    say(`  ${inRoot(killAndDoctor).trim()}`);
    inRoot(`NAME=${name}\n${otherInstallations}`);
    say('  an installation without root, an uninstallation, a full disk and a prefix without write access hold');
    const again =
      'sh /opt/$NAME/install.sh > /dev/null && petstore --version && sh /opt/$NAME/install.sh --uninstall && [ "$(find /usr/local -name "*petstore*")" = "" ]';
    say(`  ${inRoot(`NAME=${name}\n${again}`).trim()}`);
  });
}
