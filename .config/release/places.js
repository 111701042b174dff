// The folders and the names that every part of a release uses.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.js';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const here = fileURLToPath(new URL('.', import.meta.url));
/** Where the artefacts go. */
export const output = join(root, 'dist-release');
/** Where downloads, clean roots and the folder of the build are kept, outside the repository. */
export const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'petstore/release');

const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
export const { version } = json(join(root, 'package.json'));
/** What the owner of the project fills in. */
export const owner = json(join(here, 'owner.json'));
/** The Node.js of the archives: a release with long-term support that npm packages have for every platform. */
export const node = json(join(here, 'node.json'));
export const platforms = Object.keys(node.platforms);

/** The release of Debian that the image contains, and the older one in which the artefacts are checked. */
export const debian = { image: 'trixie', check: 'bookworm' };

const git = (...words) => run('git', words, { cwd: root }).trim();

/** The commit that is released, and its time in seconds, which every file of the release gets. */
export function releasedCommit() {
  return { commit: git('rev-parse', 'HEAD'), epoch: git('show', '--no-patch', '--format=%ct', 'HEAD'), isClean: git('status', '--porcelain') === '' };
}

/** The name of the archive of a platform without its ending. */
export const archiveName = (platform) => `petstore-${version}-${platform.replace('win32', 'windows')}`;
export const names = {
  npm: `petstore-${version}.tgz`,
  archive: (platform) => `${archiveName(platform)}${platform.startsWith('win32') ? '.zip' : '.tar.gz'}`,
  deb: `petstore_${version}_amd64.deb`,
  image: `petstore-${version}-image-linux-x64.tar.gz`,
  sbom: `petstore-${version}.cdx.json`,
  notices: 'THIRD-PARTY-NOTICES',
  sums: 'SHA256SUMS',
};
