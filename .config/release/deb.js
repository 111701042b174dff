// The package for Debian and Ubuntu on x64.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { here, names, output, owner, version } from './places.js';
import { say, shell } from './run.js';
import { writeTree } from './tree.js';

const maintainer = owner.maintainer || 'petstore <petstore@localhost.localdomain>';
const maintainerScripts = ['postinst', 'prerm', 'postrm'];

/** The control file of the package; `size` is in KiB. */
export function controlFile(size) {
  return `Package: petstore
Version: ${version}
Architecture: amd64
Maintainer: ${maintainer}
${owner.homepage ? `Homepage: ${owner.homepage}\n` : ''}Section: misc
Priority: optional
Installed-Size: ${size}
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 9), systemd-standalone-sysusers | systemd-sysusers
Description: run a pet shop from the command line
 Pets, categories, orders, and stock figures that you can trust.
 .
 A shop is one file, or a PostgreSQL database. A unit of systemd serves shops
 over HTTP, with a board for the browser. The package contains its own Node.js.
`;
}

/** The licence and the origin of the parts, in the form of Debian. */
function copyrightFile(doc) {
  const licence = readFileSync(join(doc, 'LICENSE'), 'utf8');
  const [holder] = /Copyright .*/.exec(licence);
  const text = licence
    .slice(licence.indexOf('Permission'))
    .trim()
    .split('\n')
    .map((line) => ` ${line || '.'}`)
    .join('\n');
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Comment: LICENSE.node and THIRD-PARTY-NOTICES beside this file hold the
 licences of Node.js and of the packages that petstore contains.

Files: *
Copyright: ${holder.replace(/^Copyright (\(c\) )?/i, '')}
License: Expat
${text}
`;
}

/** Moves what is elsewhere in Debian, and adds what only the package has. */
function arrange(folder, epoch) {
  const doc = join(folder, 'usr/share/doc/petstore');
  writeFileSync(join(doc, 'copyright'), copyrightFile(doc));
  rmSync(join(doc, 'LICENSE'));
  const date = new Date(epoch * 1000).toUTCString().replace('GMT', '+0000');
  renameSync(join(doc, 'CHANGELOG.md'), join(doc, 'NEWS.md'));
  writeFileSync(
    join(doc, 'changelog'),
    `petstore (${version}) stable; urgency=medium\n\n  * Version ${version}; NEWS.md says what it does.\n\n -- ${maintainer}  ${date}\n`,
  );
  // Where zsh of Debian looks.
  renameSync(join(folder, 'usr/share/zsh/site-functions'), join(folder, 'usr/share/zsh/vendor-completions'));
  const own = { 'petstore@.service': 'usr/lib/systemd/system', 'sysusers.conf': 'usr/lib/sysusers.d', 'lintian-overrides': 'usr/share/lintian/overrides' };
  for (const [name, path] of Object.entries(own)) {
    mkdirSync(join(folder, path), { recursive: true });
    cpSync(join(here, 'deb', name), join(folder, path, name.startsWith('petstore') ? name : `petstore${name.endsWith('.conf') ? '.conf' : ''}`));
  }
  shell('gzip -9n usr/share/man/man1/* usr/share/doc/petstore/changelog usr/share/doc/petstore/NEWS.md', folder);
}

export function writeDeb({ epoch }) {
  say(`Writing ${names.deb} …`);
  const folder = mkdtempSync(join(tmpdir(), 'petstore-deb-'));
  try {
    chmodSync(folder, 0o755);
    writeTree('linux-x64', join(folder, 'usr'));
    arrange(folder, epoch);
    mkdirSync(join(folder, 'DEBIAN'));
    for (const name of maintainerScripts) {
      cpSync(join(here, 'deb', name), join(folder, 'DEBIAN', name));
      chmodSync(join(folder, 'DEBIAN', name), 0o755);
    }
    shell('find usr -type f | sort | xargs md5sum > DEBIAN/md5sums; chmod -R u=rwX,go=rX usr DEBIAN', folder);
    writeFileSync(join(folder, 'DEBIAN/control'), controlFile(shell('du -sk --apparent-size usr | cut -f 1', folder).trim()));
    shell('dpkg-deb --root-owner-group -Zxz --build . "$FILE" > /dev/null', folder, { FILE: join(output, names.deb), SOURCE_DATE_EPOCH: epoch });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
