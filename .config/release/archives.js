// The archives: petstore with its Node.js for one platform each.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTarball, writeZip } from './archive.js';
import { archiveName, here, names, output, platforms } from './places.js';
import { say } from './run.js';
import { writeTree } from './tree.js';

function writeArchive(platform, epoch) {
  const parent = mkdtempSync(join(tmpdir(), 'petstore-release-'));
  try {
    const name = archiveName(platform);
    const folder = join(parent, name);
    const file = join(output, names.archive(platform));
    say(`Writing ${names.archive(platform)} …`);
    writeTree(platform, folder);
    if (platform.startsWith('win32')) return writeZip(parent, name, file, epoch);
    cpSync(join(here, 'install.sh'), join(folder, 'install.sh'));
    writeTarball(parent, name, file, epoch);
  } finally {
    rmSync(parent, { recursive: true });
  }
}

export function writeArchives({ epoch }) {
  for (const platform of platforms) writeArchive(platform, epoch);
}
