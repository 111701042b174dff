// Checks the image: as a container whose files cannot be written, with a volume for the shop, run by runc.
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { names, output } from '../places.js';
import { megabytes } from '../archive.js';
import { imageName } from '../image.js';
import { say, shell } from '../run.js';

const largest = 120e6;
const userId = 10_001;

/** What the container runtime is told: the user and the command of the image, no rights, one volume. */
const bundle = (folder, args, { User, Env, WorkingDir }) => ({
  ociVersion: '1.0.2',
  process: {
    user: { uid: Number(User.split(':')[0]), gid: Number(User.split(':')[1]) },
    args,
    env: Env,
    cwd: WorkingDir,
    noNewPrivileges: true,
    capabilities: {},
  },
  root: { path: join(folder, 'root'), readonly: true },
  mounts: [
    { destination: '/proc', type: 'proc', source: 'proc' },
    { destination: '/dev', type: 'tmpfs', source: 'tmpfs' },
    { destination: '/tmp', type: 'tmpfs', source: 'tmpfs' },
    { destination: '/data', type: 'bind', source: join(folder, 'volume'), options: ['bind', 'rw'] },
  ],
  linux: { namespaces: ['mount', 'pid', 'ipc', 'uts', 'network'].map((type) => ({ type })) },
});

const runc = 'runc';
const steps = `
run() { ${runc} run --bundle "init" petstore-check-init; }
run
${runc} run --bundle token petstore-check-token > token.txt
${runc} run --bundle serve petstore-check-serve > serve.out 2> serve.log &
container=$!
inside() { ${runc} exec petstore-check-serve "$@"; }
until inside "$@" 2> /dev/null; do sleep 0.2; done
echo "the health check of the image succeeds"
inside petstore inventory import /usr/lib/petstore/data/delivery.csv
if inside sh -c 'echo x > /etc/x' 2> /dev/null; then exit 1; fi
inside id -u
stopped=$(date +%s%3N)
${runc} kill petstore-check-serve TERM
wait $container
echo "stopped by SIGTERM after $(($(date +%s%3N) - stopped)) ms"
`;

export function checkImage() {
  const { size } = statSync(join(output, names.image));
  if (size > largest) throw new Error(`The image has ${megabytes(size)}; ${megabytes(largest)} are allowed.`);
  const folder = mkdtempSync('/var/tmp/petstore-container-');
  try {
    mkdirSync(join(folder, 'volume'), { mode: 0o700 });
    chownSync(join(folder, 'volume'), userId, userId);
    const unpack = `gzip -dc "$FILE" > image.tar; mkdir image root; tar -xf image.tar -C image; for layer in $(sed 's/.*"Layers":\\[\\([^]]*\\)\\].*/\\1/; s/[",]/ /g' image/manifest.json); do tar -xf image/$layer -C root; done; cat image/$(sed 's/.*"Config":"\\([^"]*\\)".*/\\1/' image/manifest.json)`;
    const { config } = JSON.parse(shell(unpack, folder, { FILE: join(output, names.image) }));
    const commands = { init: ['init', '--sample'], token: ['token', 'create', 'ana', '--scope', 'admin'], serve: config.Cmd };
    for (const [name, words] of Object.entries(commands)) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'config.json'), JSON.stringify(bundle(folder, [...config.Entrypoint, ...words], config)));
    }
    const [, ...health] = config.Healthcheck.Test;
    say(
      shell(`set -- ${health.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')}\n${steps}`, folder)
        .trim()
        .replaceAll(/^/gm, '  '),
    );
    say(`  ${imageName}: ${megabytes(size)} packed, read-only, as user ${userId}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
