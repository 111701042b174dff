// Bundles the program into a new folder in dist/, which dist/start.cjs names as soon as it is complete: commands that start
// meanwhile run the previous build, and programs that run keep the files they were started from. `.config/bundles.js` lists which
// module goes into which bundle.
import * as esbuild from 'esbuild';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { bundleOfPackage, chunkEntry, chunks, fromBundles, mains, otherBundles, packages } from './bundles.js';
import { buildBoard } from './build-board.js';
import { lateWidth, withoutChildProcess, withoutEditor } from './build-plugins.js';
import { ownMeasure } from './measured-table.js';
import { thirdPartyNotices } from './notices.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

const dist = `${root}dist`;
/** The name of this build; later ones sort behind it. */
const ownName = `build-${Date.now().toString(36)}`;
const folder = `${dist}/${ownName}`;
/** The builds that are kept, with the new one: a server that runs may need files of the build it was started from. */
const keptBuilds = 3;

/** The files of Swagger UI that the documentation page loads, and its licence. */
const docs = ['swagger-ui.css', 'index.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'favicon-32x32.png', 'LICENSE', 'NOTICE'];

/** npm leaves out the version of better-sqlite3 that this Node cannot run; another Node loads it from its package. */
const notInstalled = ['better-sqlite3', 'better-sqlite3-13'].filter((name) => !existsSync(`${root}node_modules/${name}/package.json`));

const common = {
  absWorkingDir: root,
  // pg looks for the last two, which only other platforms have.
  external: [...notInstalled, 'pg-native', 'pg-cloudflare'],
  bundle: true,
  minify: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  legalComments: 'linked',
  logLevel: 'warning',
  // Code run from a bytecode cache cannot import(); esbuild turns every import() into a require().
  supported: { 'dynamic-import': false },
  define: { PETSTORE_VERSION: JSON.stringify(version) },
};

/** A function as text, which src/app/start.ts can run with its bytecode. Bytecode gains 19 ms of `pet list` in a pipe, 24 ms at a terminal. */
const wrapped = {
  banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
  footer: { js: '})' },
};

/** The files that the bundles are made of. */
const bundled = new Set();

/** Writes the bundle `name` of what `options` name. */
async function write(name, { plugins = [], ...options }) {
  const outfile = `${folder}/${name}.cjs`;
  const { metafile } = await esbuild.build({ ...common, ...options, plugins: [...plugins, otherBundles], outfile, metafile: true });
  for (const path of Object.keys(metafile.inputs)) bundled.add(path);
}

const build = (name, path, options) => write(name, { entryPoints: [path], ...options });

const buildText = (name, contents, options) => write(name, { stdin: { contents, resolveDir: root }, ...options });

/** Writes a bundle with bytecode, and the module that loads it. */
async function buildWithBytecode(name, options, loader) {
  await write(name, { ...options, ...wrapped });
  writeFileSync(`${folder}/${loader}.cjs`, `module.exports = require('./start.cjs').load('${name}');\n`);
}

function run(...words) {
  execFileSync(process.execPath, words, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Makes this build the current one, and removes all but a few earlier ones. */
function swap() {
  // A package contains one build, and no bytecode.
  writeFileSync(`${dist}/.npmignore`, `build-*/\n!${ownName}/\n*.cache\n`);
  writeFileSync(`${dist}/start.cjs.next`, `module.exports = require('./${ownName}/start.cjs');\n`);
  renameSync(`${dist}/start.cjs.next`, `${dist}/start.cjs`);
  const names = readdirSync(dist);
  const builds = names.filter((name) => name.startsWith('build-')).toSorted();
  const kept = ['.npmignore', 'start.cjs', 'man', ...builds.slice(-keptBuilds)];
  for (const name of names) if (!kept.includes(name)) rmSync(`${dist}/${name}`, { recursive: true });
}

mkdirSync(folder, { recursive: true });
process.on('exit', (status) => status !== 0 && rmSync(folder, { recursive: true, force: true }));
await build('start', 'src/app/start.ts');
for (const [name, exported] of Object.entries(packages)) {
  await buildText(bundleOfPackage(name), `module.exports = require('${name}')${exported};`, { plugins: [withoutEditor] });
}
await build('worker', 'src/app/worker.ts', { plugins: [fromBundles('server')] });
await build('look', 'src/app/look.ts');
// The CommonJS entry of jq-wasm; the other one needs import.meta.url, which a bundle does not have.
await build('jq-worker', 'src/app/jq-worker.ts', { alias: { 'jq-wasm': `${root}node_modules/jq-wasm/dist/index.cjs` } });
// Takes 84 kB less of the package than npm's own compression would, and 3 ms more of a start.
writeFileSync(`${folder}/jq.wasm.br`, brotliCompressSync(readFileSync(`${root}node_modules/jq-wasm/dist/build/jq.wasm`)));
await buildWithBytecode('serving', { entryPoints: ['src/app/serve.ts'], plugins: [fromBundles('server')] }, 'serve');
// Bytecode gains 4 ms of the first table.
await buildWithBytecode('table', { entryPoints: ['cli-table3'], plugins: [ownMeasure, lateWidth] }, 'cli-table3');
const plugins = [lateWidth, withoutChildProcess];
for (const [name, modules] of Object.entries(chunks)) {
  const options = { stdin: { contents: chunkEntry(name), resolveDir: root }, plugins: [...plugins, fromBundles('command', modules)] };
  // Bytecode gains 15 ms of an import.
  await (name === 'bulk' ? buildWithBytecode('importing', options, name) : write(name, options));
}
for (const [name, modules] of Object.entries(mains)) {
  await build(name, 'src/app/main.ts', { ...wrapped, plugins: [...plugins, fromBundles('command', modules)] });
}
for (const path of await buildBoard(root, `${folder}/board`)) bundled.add(path);
const swagger = new URL('.', import.meta.resolve('swagger-ui-dist/package.json'));
for (const name of docs) cpSync(new URL(name, swagger), `${folder}/docs/${name}`);
writeFileSync(`${folder}/THIRD-PARTY-NOTICES`, thirdPartyNotices(root, [...bundled, 'node_modules/swagger-ui-dist/package.json']));
run('.config/bytecode.cjs', folder);
swap();
run('.config/reference.js', '--man');
