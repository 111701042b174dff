// Debian systems without Node.js, npm, git or a compiler, in which the artefacts are tried.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cache, debian } from '../places.js';
import { run, say } from '../run.js';

/** Packages beside the essential ones: what a server has, and what the .deb depends on, because a clean root has no network. */
const included = 'curl,man-db,passwd,libatomic1,libstdc++6,systemd-standalone-sysusers,zsh';
const absent = 'for name in node npm npx git cc gcc g++ make python3; do if command -v "$name"; then exit 1; fi; done';

/** A packed Debian system, made of packages of the registry that apt of this machine uses; kept in the cache. */
function packedRoot() {
  const path = join(cache, `root-${debian.check}.tar`);
  if (!existsSync(path)) {
    say(`Making a clean root of Debian ${debian.check} …`);
    mkdirSync(cache, { recursive: true });
    run('mmdebstrap', ['--quiet', '--variant=minbase', `--include=${included}`, debian.check, `${path}.new.tar`]);
    renameSync(`${path}.new.tar`, path);
  }
  return path;
}

const enter = `mount -t proc proc "$ROOT/proc"
mount --rbind /dev "$ROOT/dev"
ip link set lo up
exec chroot "$ROOT" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TZ=UTC LANG=C.UTF-8 NO_COLOR=1 bash -uc "$LINES_TO_RUN"`;

/** Calls `use` with a function that runs lines of bash in a new clean root, and with its folder; returns the output. Without network. */
export async function withCleanRoot(use) {
  const parent = mkdtempSync('/var/tmp/petstore-root-');
  const root = join(parent, 'root');
  const inRoot = (lines, { allowFailure = false } = {}) => {
    const env = { ...process.env, ROOT: root, LINES_TO_RUN: allowFailure ? lines : `set -e\n${lines}` };
    const words = ['--mount', '--pid', '--net', '--fork', '--kill-child', 'sh', '-euc', enter];
    return execFileSync('unshare', words, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 64 * 1024 * 1024 });
  };
  try {
    mkdirSync(root);
    run('tar', ['-xf', packedRoot(), '-C', root, '--exclude=./dev/*']);
    inRoot(absent);
    return await use(inRoot, root);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}
