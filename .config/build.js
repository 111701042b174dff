// Bundles the program into dist/: one CommonJS file with its bytecode, and packages that few commands need beside it.
import * as esbuild from 'esbuild';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ownMeasure } from './measured-table.js';
import { thirdPartyNotices } from './notices.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** Packages too heavy to be read at every start; each becomes a file of its own. */
const apart = ['inquirer', 'cli-progress', 'chalk', 'string-width', 'simple-ascii-chart', 'csv-parse/sync'];
/** Those of which the program takes named exports; of the others it takes the default one. */
const named = new Set(['chalk', 'csv-parse/sync']);
const fileOf = (name) => name.replace('/', '-');

/** What the documentation page loads, and the licence that goes with it. */
const docs = ['swagger-ui.css', 'index.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'favicon-32x32.png', 'LICENSE', 'NOTICE'];

/** npm leaves out the version of better-sqlite3 that this Node cannot run; another Node loads it from its package. */
const notInstalled = ['better-sqlite3', 'better-sqlite3-13'].filter((name) => !existsSync(`${root}node_modules/${name}/package.json`));

const common = {
  absWorkingDir: root,
  external: notInstalled,
  bundle: true,
  minify: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  legalComments: 'linked',
  logLevel: 'warning',
  // Code run from the bytecode cache cannot import(); esbuild turns every import() into a require().
  supported: { 'dynamic-import': false },
};

/** The files that the bundles are made of. */
const bundled = new Set();

async function build(options) {
  const { metafile } = await esbuild.build({ ...options, metafile: true });
  for (const path of Object.keys(metafile.inputs)) bundled.add(path);
}

/** What speaks to PostgreSQL is read where a shop lives there. */
const database = {
  name: 'database',
  setup(bundle) {
    bundle.onResolve({ filter: /^\.\/postgres\/(engine|maintenance)\.js$/ }, () => ({ path: '../dist/postgres.cjs', external: true }));
  },
};

/** string-width is loaded with the first text that needs it: it takes 20 ms to load and 15 ms for its first text. */
const lateWidth = {
  name: 'late-width',
  setup(bundle) {
    bundle.onResolve({ filter: /^string-width$/ }, ({ path, importer }) =>
      importer.endsWith('/text-width.ts') ? { path, namespace: 'late-width' } : undefined,
    );
    bundle.onResolve({ filter: /^\.\.\/dist\// }, ({ path }) => ({ path, external: true }));
    bundle.onLoad({ filter: /.*/, namespace: 'late-width' }, ({ path }) => ({
      contents: `let width; module.exports = (text) => (width ??= require('../dist/${fileOf(path)}.cjs'))(text);`,
    }));
  },
};

/** env-paths imports these as defaults, for which esbuild would copy them property by property at every start. */
const whole = {
  name: 'whole',
  setup(bundle) {
    bundle.onResolve({ filter: /^node:/ }, ({ path, importer }) => (importer.includes('/env-paths/') ? { path, namespace: 'whole' } : undefined));
    bundle.onLoad({ filter: /.*/, namespace: 'whole' }, ({ path }) => ({ contents: `export default require('${path}');` }));
  },
};

/** Commander can start programs of their own as subcommands; ours are none, and loading child_process takes time. */
const lean = {
  name: 'lean',
  setup(bundle) {
    bundle.onResolve({ filter: /^(node:)?child_process$/ }, ({ path }) => ({ path, namespace: 'absent' }));
    bundle.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'module.exports = {};' }));
    // The server is a bundle of its own, read by `serve` alone, and so is the document.
    bundle.onResolve({ filter: /^\.\/serve\.js$/ }, () => ({ path: '../dist/serve.cjs', external: true }));
    // These start other programs, when it comes to that.
    bundle.onResolve({ filter: /^\.\/pager\.js$/ }, () => ({ path: '../dist/pager.cjs', external: true }));
    bundle.onResolve({ filter: /^\.\.\/settings\/token-source\.js$/ }, () => ({ path: '../dist/token.cjs', external: true }));
    bundle.onResolve({ filter: /^\.\.\/http\/openapi\/document\.js$/ }, () => ({ path: '../dist/openapi.cjs', external: true }));
    bundle.onResolve({ filter: new RegExp(`^(cli-table3|${apart.join('|')})$`) }, ({ path }) => ({ path: `../dist/${fileOf(path)}.cjs`, external: true }));
  },
};

rmSync(`${root}dist`, { recursive: true, force: true });
await build({ ...common, entryPoints: { start: 'src/app/start.ts' }, outdir: 'dist', outExtension: { '.js': '.cjs' } });
/** Inquirer can start an editor, which nothing here asks for; what that takes is ten times the size of all the rest. */
const editorless = {
  name: 'editorless',
  setup(bundle) {
    bundle.onResolve({ filter: /^@inquirer\/external-editor$/ }, ({ path }) => ({ path, namespace: 'absent' }));
    bundle.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'module.exports = {};' }));
  },
};
for (const name of apart)
  await build({
    ...common,
    plugins: [editorless],
    stdin: { contents: `const it = require('${name}'); module.exports = ${named.has(name) ? 'it' : 'it.default ?? it'};`, resolveDir: root },
    outfile: `dist/${fileOf(name)}.cjs`,
  });
const bundles = {
  ...common,
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  define: { PETSTORE_VERSION: JSON.stringify(version) },
};
await build({
  ...bundles,
  entryPoints: {
    working: 'src/app/worker.ts',
    openapi: 'src/http/openapi/document.ts',
    pager: 'src/cli/output/pager.ts',
    token: 'src/settings/token-source.ts',
  },
  plugins: [database],
});
// pg looks for two packages that only other surroundings have.
const { outdir: _, outExtension: __, ...single } = bundles;
await build({
  ...single,
  stdin: {
    contents: ['engine', 'maintenance'].map((name) => `export * from './src/storage/postgres/${name}.ts';`).join(' '),
    resolveDir: root,
    loader: 'ts',
  },
  outfile: 'dist/postgres.cjs',
  external: ['pg-native', 'pg-cloudflare'],
});
/** Functions, so that src/app/start.ts can run their text as it is. */
const wrapped = {
  ...bundles,
  banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
  footer: { js: '})' },
};
await build({ ...wrapped, entryPoints: { serving: 'src/app/serve.ts' }, plugins: [database] });
await build({ ...wrapped, entryPoints: { petstore: 'src/app/main.ts' }, plugins: [lateWidth, lean, database, whole] });
// With bytecode the first table takes 8 ms less.
await build({ ...wrapped, entryPoints: { table: 'cli-table3' }, plugins: [ownMeasure, lateWidth] });
writeFileSync(`${root}dist/cli-table3.cjs`, "module.exports = require('./start.cjs').load(__dirname, 'table', ['table'], require);\n");
writeFileSync(`${root}dist/serve.cjs`, "module.exports = require('./start.cjs').load(__dirname, 'serving', ['serving'], require);\n");
const packaged = new URL('.', import.meta.resolve('swagger-ui-dist/package.json'));
for (const name of docs) cpSync(new URL(name, packaged), `${root}dist/docs/${name}`);
writeFileSync(`${root}dist/THIRD-PARTY-NOTICES`, thirdPartyNotices(root, [...bundled, 'node_modules/swagger-ui-dist/package.json']));
// They are read as Latin-1, the quickest way; esbuild escapes all other characters but those of regular expressions.
for (const name of ['petstore', 'serving', 'table']) {
  const [stray] = /[\u0080-\u{10ffff}]+/u.exec(readFileSync(`${root}dist/${name}.cjs`, 'utf8')) ?? [];
  if (stray !== undefined) throw new Error(`The bundle is not ASCII: write "${stray}" as an escape.`);
}
execFileSync(process.execPath, [`${root}.config/code-cache.cjs`, `${root}dist`], { stdio: ['ignore', 'ignore', 'inherit'] });
execFileSync(process.execPath, [`${root}.config/reference.js`, '--man'], { stdio: ['ignore', 'ignore', 'inherit'] });
