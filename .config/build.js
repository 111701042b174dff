// Bundles the program into a new folder in dist/, which dist/start.cjs names as soon as it is complete: commands that start
// meanwhile run the previous build, and programs that run keep the files they were started from. All
// our own source is one bundle; packages that few commands need are files beside it.
import * as esbuild from 'esbuild';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { buildBoard, writeCompressed } from './build-board.js';
import { contentsOfPackage, fileOfPackage, ownMeasure, packagesApart, withoutChildProcess, withoutEditor } from './build-plugins.js';
import { thirdPartyNotices } from './notices.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** The commit of the work tree, or the one that a release names; empty outside a repository, as in an unpacked archive. */
const commit = process.env.PETSTORE_COMMIT ?? spawnSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? '';

const dist = `${root}dist`;
/** The name of this build, by its time; later ones sort behind it. A release has the time of its commit, so that the same commit gives the same bytes. */
const ownName = `build-${(Number(process.env.SOURCE_DATE_EPOCH ?? 0) * 1000 || Date.now()).toString(36)}`;
const folder = `${dist}/${ownName}`;
/** The complete builds that are kept, with the new one: a server that runs may need files of the build it was started from. */
const keptBuilds = 3;

/** The last file that every build writes before its bytecode, which some builds lack. */
const lastFile = 'THIRD-PARTY-NOTICES';

/** The files of Swagger UI that the documentation page loads, and its licence. */
const docs = ['swagger-ui.css', 'index.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];
const docsLicence = ['swagger-ui-bundle.js.LICENSE.txt', 'LICENSE', 'NOTICE'];

/** The modules of src/app that run in threads and processes of their own. */
const threads = ['worker', 'jq-worker'];

/** npm leaves out the version of better-sqlite3 that this Node cannot run; another Node loads it from its package. */
const notInstalled = ['better-sqlite3', 'better-sqlite3-13'].filter((name) => !existsSync(`${root}node_modules/${name}/package.json`));

/** The files that the bundles are made of. */
const bundled = new Set();

/** Writes a file of the program, made of what `options` name. */
async function write(file, options) {
  const { metafile } = await esbuild.build({
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
    // Code run from bytecode cannot import(); esbuild turns every import() into a require().
    supported: { 'dynamic-import': false },
    define: { PETSTORE_VERSION: JSON.stringify(version), PETSTORE_COMMIT: JSON.stringify(commit) },
    outfile: `${folder}/${file}`,
    metafile: true,
    ...options,
  });
  for (const path of Object.keys(metafile.inputs)) bundled.add(path);
}

/** Writes all our own source as one bundle, a function as text, which src/app/start.ts runs with its bytecode; answers with the packages that it loads. */
async function writeProgram() {
  const { plugin, names } = packagesApart(root);
  await write('petstore.cjs', {
    stdin: {
      contents: `export { main } from './src/app/main.ts';
        export const threads = { ${threads.map((name) => `'${name}': () => import('./src/app/${name}.ts')`).join(', ')} };`,
      resolveDir: root,
    },
    plugins: [plugin, withoutChildProcess],
    banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
    footer: { js: '})' },
  });
  return names;
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
  // A build that was stopped lacks the file that is written last; another may still be writing it.
  const oldest = builds.filter((name) => existsSync(`${dist}/${name}/${lastFile}`)).slice(-keptBuilds)[0];
  const kept = ['.npmignore', 'start.cjs', 'man', ...builds.slice(builds.indexOf(oldest))];
  for (const name of names) if (!kept.includes(name)) rmSync(`${dist}/${name}`, { recursive: true });
}

mkdirSync(folder, { recursive: true });
process.on('exit', (status) => status !== 0 && rmSync(folder, { recursive: true, force: true }));
await write('start.cjs', { entryPoints: ['src/app/start.ts'] });
for (const name of threads) writeFileSync(`${folder}/${name}.cjs`, `require('./start.cjs').startThread('${name}');\n`);
// The CommonJS entry of jq-wasm; the other one needs import.meta.url, which a bundle does not have.
const alias = { 'jq-wasm': `${root}node_modules/jq-wasm/dist/index.cjs` };
const { plugin: apart } = packagesApart(root);
// Sorted, because esbuild meets them in any order, and the same commit gives the same bytes.
const apartNames = [...(await writeProgram())].toSorted();
for (const file of new Set(apartNames.map(fileOfPackage))) {
  const names = apartNames.filter((name) => fileOfPackage(name) === file);
  const plugins = [withoutEditor, ownMeasure, apart];
  await write(file, { stdin: { contents: contentsOfPackage(names), resolveDir: root }, plugins, alias });
}
// Takes 84 kB less of the package than npm's own compression would, and 3 ms more of a start.
writeFileSync(`${folder}/jq.wasm.br`, brotliCompressSync(readFileSync(`${root}node_modules/jq-wasm/dist/build/jq.wasm`)));
for (const path of await buildBoard(root, `${folder}/board`)) bundled.add(path);
const swagger = new URL('.', import.meta.resolve('swagger-ui-dist/package.json'));
const ownDocs = `${root}src/http/server/pages/docs`;
cpSync(`${ownDocs}/index.html`, `${folder}/docs/index.html`);
writeCompressed(`${folder}/docs/docs.js`, readFileSync(`${ownDocs}/docs.js`));
for (const name of docs) writeCompressed(`${folder}/docs/${name}`, readFileSync(new URL(name, swagger)), 6);
for (const name of docsLicence) cpSync(new URL(name, swagger), `${folder}/docs/${name}`);
writeFileSync(`${folder}/${lastFile}`, thirdPartyNotices(root, [...bundled, 'node_modules/swagger-ui-dist/package.json']));
run('bin/write-bytecode.js', `${folder}/start.cjs`);
// For the list of packages of a release.
if (process.env.PETSTORE_METAFILE) writeFileSync(process.env.PETSTORE_METAFILE, JSON.stringify([...bundled]));
swap();
run('.config/reference.js', '--man');
