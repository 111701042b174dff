// The image for containers: a small Debian without a package manager, and petstore as a user without rights.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { debian, here, names, output, version } from './places.js';
import { run, say, shell } from './run.js';
import { writeTree } from './tree.js';

/** What the program, a shell for the launcher and the time zones need. */
const packages = 'base-files,base-passwd,ca-certificates,coreutils,dash,libc6,libgcc-s1,libstdc++6,tzdata';
export const imageName = `petstore:${version}`;

/** What no container reads: caches, documentation, logs; and what differs between two runs. */
const remove =
  'rm -rf root/var/cache root/var/log root/var/lib/apt root/usr/share/man root/usr/share/locale root/usr/share/info root/usr/share/lintian; find root/usr/share/doc -type f ! -name copyright ! -path "*/petstore/*" -delete; mkdir -p root/var/cache root/var/log';
const user =
  'echo petstore:x:10001:10001::/data:/usr/sbin/nologin >> root/etc/passwd; echo petstore:x:10001: >> root/etc/group; mkdir -p root/data; chown 10001:10001 root/data; chmod 700 root/data';
const buildah = 'buildah --storage-driver vfs';

export function writeImage({ epoch }) {
  say(`Writing ${names.image} …`);
  const folder = mkdtempSync('/var/tmp/petstore-image-');
  try {
    const root = join(folder, 'root');
    mkdirSync(root);
    const env = { ...process.env, SOURCE_DATE_EPOCH: epoch };
    run('mmdebstrap', ['--quiet', '--variant=extract', `--include=${packages}`, debian.image, join(folder, 'root.tar')], { env });
    run('tar', ['-xf', join(folder, 'root.tar'), '-C', root, '--exclude=./dev/*']);
    writeTree('linux-x64', join(folder, 'petstore'));
    const env2 = { NAME: imageName, EPOCH: epoch, FILE: join(output, names.image), CONTAINERFILE: join(here, 'Containerfile') };
    shell(`cp -R petstore/. root/usr/; ${remove}; ${user}`, folder);
    shell('petstore/lib/petstore/node root/usr/lib/petstore/bin/write-bytecode.js', folder);
    shell(`${buildah} build --quiet --isolation chroot --format docker --timestamp "$EPOCH" --tag "$NAME" --file "$CONTAINERFILE" . > /dev/null`, folder, env2);
    shell(`${buildah} push --quiet "$NAME" "docker-archive:image.tar:$NAME"; ${buildah} rmi "$NAME" > /dev/null; gzip -9n < image.tar > "$FILE"`, folder, env2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
