// `npm run soak -- fresh-machine [--small] [--rows N,N]`: the commands of the README in fresh clones on many kinds of machine.
// A machine is made with namespaces of Linux; where these are not allowed, its row is skipped and prints the reason.
import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const isRoot = process.getuid?.() === 0;
const userId = 59_990;

/** Shell lines that add a user in a namespace: the files of users of the machine do not change. */
const addUser = ['passwd', 'group'].flatMap((file) => [
  `{ cat /etc/${file}; echo "petstore-user:x:${userId}:${file === 'passwd' ? `${userId}::$HOME:/bin/sh` : ''}"; } >"$BASE/${file}"`,
  `chmod 644 "$BASE/${file}"; mount --bind "$BASE/${file}" /etc/${file}`,
]);

/** Shell lines after which there is no /dev/shm; the other devices are those of the machine. */
const hideSharedMemory = [
  'mkdir -p "$BASE/dev"; mount -t tmpfs -o mode=755 tmpfs "$BASE/dev"; cd "$BASE/dev"',
  'for name in null zero full random urandom tty; do touch "$name"; mount --bind "/dev/$name" "$name"; done',
  'mkdir pts; mount --rbind /dev/pts pts; ln -s pts/ptmx ptmx; ln -s /proc/self/fd fd',
  'mount --rbind "$BASE/dev" /dev; [ ! -e /dev/shm ]',
];

/** What differs from the machine of the caller: `mounts` and `network` take namespaces, `before` is run by the shell that starts npm. */
export const machines = [
  { name: 'root, in a folder that only root may enter', mode: 0o700, needsRoot: true },
  { name: 'an ordinary user', ordinary: true },
  { name: 'a path with a space and a letter beyond ASCII', folder: 'my pets ü' },
  { name: 'umask 077', umask: true },
  { name: 'all of them, after another user has run the tests', folder: 'my pets ü', umask: true, ordinary: true },
  { name: 'HOME on another file system', mounts: ['mount -t tmpfs tmpfs "$HOME"'] },
  { name: 'HOME unset', before: 'unset HOME' },
  { name: '/tmp mounted noexec', mounts: ['mount -t tmpfs -o noexec,mode=1777 tmpfs /tmp'] },
  { name: '/dev/shm of 64 MB', mounts: ['mount -t tmpfs -o size=64m,mode=1777 tmpfs /dev/shm'] },
  { name: '/dev/shm missing', mounts: hideSharedMemory },
  { name: 'its own set-up, and no network after it', setup: true, network: 'ip link set lo up' },
  { name: 'standard input closed', before: 'exec 0<&-' },
  { name: 'TZ unset', before: 'unset TZ' },
];

/** Test files that use another user, a browser, a terminal, a build, and a PostgreSQL of their own. */
export const handful = ['storage/processes', 'e2e/store', 'board/addresses', 'e2e/prompt-signals', 'board/build', 'storage/postgres-tls'].map(
  (name) => `test/${name}.test.ts`,
);

/** Runs a program, with its output in a log; returns whether it succeeded. */
function succeeds(file, words, { log, ...options }) {
  const output = openSync(log, 'a');
  try {
    const { status, error } = spawnSync(file, words, { ...options, stdio: ['ignore', output, output] });
    if (error !== undefined) writeSync(output, `${error.message}\n`);
    return status === 0;
  } finally {
    closeSync(output);
  }
}

/** Copies the project; links to the packages take no space, where nothing is changed about them and the file system is the same. */
function makeClone(root, clone, { setup, umask, ordinary }, log) {
  const changes = umask || ordinary;
  const made = ['node_modules', 'dist'];
  const sources = readdirSync(root).filter((name) => ![...made, '.git', 'coverage'].includes(name));
  const copy = (flags, names) => succeeds('cp', [flags, ...names.map((name) => join(root, name)), clone], { log });
  let done = copy('-a', sources);
  if (!setup) done &&= (!changes && copy('-alH', ['node_modules'])) || copy('-aH', ['node_modules']);
  if (!setup) done &&= copy('-a', ['dist']);
  if (umask) done &&= succeeds('chmod', ['-R', 'go-rwx', clone], { log });
  if (setup) done &&= succeeds('npm', ['run', 'setup'], { cwd: clone, log });
  if (!done) throw new Error(`No clone was made in ${clone}.`);
}

/** Runs a shell line on a machine; returns whether it succeeded. */
function succeedsOn({ mounts = [], network, umask, ordinary, before }, line, { base, clone, home, log }) {
  const asUser = ordinary && isRoot;
  const inNamespace = [...mounts, ...(asUser ? addUser : []), ...(network === undefined ? [] : [network])];
  const namespaces = inNamespace.length === 0 ? [] : ['unshare', '--mount', ...(network === undefined ? [] : ['--net'])];
  const user = asUser ? `setpriv --reuid=${userId} --regid=${userId} --clear-groups` : '';
  const commands = ['set -e', ...inNamespace, 'cd "$CLONE"', ...(umask ? ['umask 077'] : []), ...(before === undefined ? [] : [before])];
  const words = [...namespaces, 'bash', '-c', [...commands, `exec ${user} bash -c '${line}'`].join('\n')];
  // Not what npm has told this process, nor its temporary folder: another user may not enter it.
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|TMPDIR$)/i.test(name));
  const env = { TZ: 'Europe/Berlin', ...Object.fromEntries(own), BASE: base, CLONE: clone, HOME: home };
  return succeeds(words[0], words.slice(1), { env, log });
}

/** Runs both commands in a clone on a machine, in a folder; returns what is wrong, or why the machine cannot be made. */
function testIn(base, root, machine, words) {
  const parent = join(base, machine.folder ?? 'clones');
  const at = { base, clone: join(parent, 'petstore'), home: join(base, 'home'), log: join(base, 'log') };
  const lastLines = (count) => readFileSync(at.log, 'utf8').trim().split('\n').slice(-count).join('\n');
  for (const folder of [parent, at.clone, at.home]) mkdirSync(folder);
  chmodSync(base, 0o755);
  chmodSync(parent, machine.mode ?? 0o755);
  const own = () => !machine.ordinary || !isRoot || succeeds('chown', ['-R', `${userId}:${userId}`, parent, at.home], at);
  if (machine.needsRoot && !isRoot) return { skipped: 'only root can run it' };
  // A mistake of the product would end the later commands, not this one.
  if (!own() || !succeedsOn(machine, 'node --version', at)) return { skipped: lastLines(1) };
  makeClone(root, at.clone, machine, at.log);
  own();
  for (const command of ['npm run demo', `npm test -- ${words.join(' ')}`]) {
    if (!succeedsOn(machine, command, at)) return { failed: `${command} failed:\n${lastLines(200)}` };
  }
  return {};
}

/** Tests these machines, or all; `small` runs a handful of tests on each. Returns 0 when none has failed. */
export function testFreshMachines(root, small, numbers) {
  let failures = 0;
  for (const [index, machine] of machines.entries()) {
    if (numbers.length > 0 && !numbers.includes(index + 1)) continue;
    const started = Date.now();
    // Not in /tmp, which one machine hides.
    const base = mkdtempSync('/var/tmp/petstore-machine-');
    try {
      // One process for a handful of files: each process loads the program first.
      const { skipped, failed } = testIn(base, root, machine, small ? ['--maxWorkers=1', ...handful] : []);
      if (failed !== undefined) failures += 1;
      const result = failed ?? (skipped === undefined ? `both commands hold, ${Math.round((Date.now() - started) / 1000)} s` : `skipped: ${skipped}`);
      process.stdout.write(`fresh-machine ${index + 1}, ${machine.name}: ${result}\n`);
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  }
  return failures === 0 ? 0 : 1;
}
