// The list of what a release contains, in the form of CycloneDX: the packages of which a file is in a bundle, and Node.js.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledFolders } from '../notices.js';
import { names, node, output } from './places.js';
import { build, metafile, pinnedEnvironment, pinnedNode } from './program.js';
import { run, say } from './run.js';

/** The packages that the bundles hold, as name@version: those of esbuild's list, and those of which whole files are copied. */
export function bundledPackages(folder) {
  const paths = [...JSON.parse(readFileSync(metafile, 'utf8')), 'node_modules/swagger-ui-dist/package.json', 'node_modules/better-sqlite3-13/package.json'];
  return bundledFolders(paths).map((path) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8'));
    return `${name}@${version}`;
  });
}

/** The package of a part as name@version; its own name may be an alias. */
export const idOf = ({ purl }) => decodeURIComponent(purl.replace(/^pkg:\w+\//, ''));

/** The parts of npm's list that the bundles hold, each once. */
export function heldComponents(components, held) {
  const wanted = new Set(held);
  const byId = new Map(components.map((component) => [idOf(component), component]));
  return [...byId]
    .filter(([id]) => wanted.has(id))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, component]) => component);
}

/** npm marks each as a part of the development, because they are bundled. */
function asPart(component) {
  const { properties: _, externalReferences: __, ...part } = component;
  return { ...part, scope: 'required' };
}

/** Writes the notices of the packages, and the licence of Node.js. */
function writeNotices() {
  const [folder] = readdirSync(join(build, 'dist')).filter((name) => name.startsWith('build-'));
  const notices = readFileSync(join(build, 'dist', folder, names.notices), 'utf8');
  const rule = '-'.repeat(80);
  const licence = readFileSync(join(pinnedNode, 'LICENSE'), 'utf8').trim();
  writeFileSync(join(output, names.notices), `${notices}\n${rule}\nNode.js ${node.version}\n${rule}\n\n${licence}\n`);
}

export function writeSbom({ epoch }) {
  say(`Writing ${names.sbom} …`);
  const all = JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'], { cwd: build, env: pinnedEnvironment() }));
  const { component } = all.metadata;
  const { properties: _, ...own } = component;
  const runtime = {
    type: 'application',
    name: 'node',
    version: node.version,
    'bom-ref': `node@${node.version}`,
    purl: `pkg:generic/node@${node.version}`,
    licenses: [{ license: { id: 'MIT' } }],
  };
  const components = [...heldComponents(all.components, bundledPackages(build)).map(asPart), runtime];
  const sbom = {
    $schema: all.$schema,
    bomFormat: all.bomFormat,
    specVersion: all.specVersion,
    version: 1,
    metadata: { timestamp: new Date(epoch * 1000).toISOString(), component: own },
    components,
    dependencies: [{ ref: own['bom-ref'], dependsOn: components.map((part) => part['bom-ref']) }],
  };
  writeNotices();
  const digest = createHash('sha256').update(JSON.stringify(sbom)).digest('hex');
  const [, ...parts] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digest);
  const serialNumber = `urn:uuid:${parts[0]}-${parts[1]}-5${parts[2]}-8${parts[3]}-${parts[4]}`;
  writeFileSync(join(output, names.sbom), `${JSON.stringify({ ...sbom, serialNumber }, null, 2)}\n`);
}
