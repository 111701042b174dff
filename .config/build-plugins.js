// Plugins for esbuild that leave out, or load late, what the program does not need. The gains are CPU time, measured by building
// without the plugin; a plugin that gains less than 2 ms of a start is not worth its lines.
import { build } from 'esbuild';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const resolveDir = fileURLToPath(new URL('..', import.meta.url));

/** Runs a module that imports our own source, for scripts; answers with its exports. */
export async function sourceModule(contents) {
  const { outputFiles } = await build({ stdin: { contents, resolveDir }, bundle: true, write: false, format: 'esm', platform: 'node', target: 'node20' });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/** Replaces the imports that match `filter`, in files whose paths match `importers`, by a module with these contents. */
function replaceImport(name, filter, importers, contents) {
  return {
    name,
    setup(bundle) {
      bundle.onResolve({ filter }, ({ path, importer }) => (importers.test(importer) ? { path, namespace: name } : undefined));
      bundle.onLoad({ filter: /.*/, namespace: name }, () => ({ contents, resolveDir }));
    },
  };
}

/** The packages in the bundle of our own source: those that every command or most of them load. */
const inBundle = ['commander', 'valibot', 'env-paths', 'csv-stringify/sync', 'better-sqlite3', 'better-sqlite3-13'];

/** The package of an import, such as `csv-parse` of `csv-parse/sync`. */
const packageOf = (name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/');

/** The file of another package, beside the bundle: one for all of its entry points. */
export const fileOfPackage = (name) => `${packageOf(name).replace(/^@/, '').replaceAll('/', '-')}.cjs`;

/** The contents of that file, whose entry points are `names`. */
export const contentsOfPackage = (names) =>
  names.length === 1 ? `module.exports = require('${names[0]}');` : `module.exports = { ${names.map((name) => `...require('${name}')`).join(', ')} };`;

/** Leaves the other packages that our own source imports to be loaded from their files; `names` is filled with them. */
export function packagesApart(root) {
  const names = new Set();
  const isApart = (name, importer) => importer.startsWith(join(root, 'src')) && !name.startsWith('node:') && !inBundle.includes(name);
  const plugin = {
    name: 'packages-apart',
    setup(bundle) {
      bundle.onResolve({ filter: /\.cjs$/, namespace: 'package' }, ({ path }) => ({ path, external: true }));
      bundle.onResolve({ filter: /^[@a-z]/ }, ({ path, importer }) => (isApart(path, importer) ? { path, namespace: 'package' } : undefined));
      bundle.onLoad({ filter: /.*/, namespace: 'package' }, ({ path: name }) => {
        names.add(name);
        const file = `'./${fileOfPackage(name)}'`;
        // With the first text that is not ASCII. Gains 24 ms of `pet list` at a terminal.
        if (name === 'string-width') return { contents: `let width; export default (text) => (width ??= require(${file}).default)(text);` };
        return { contents: `export * from ${file}; export { default } from ${file};` };
      });
    },
  };
  return { plugin, names };
}

/** Commander requires child_process for subcommands that are programs of their own, which ours are not. Gains 2.4 ms of every start. */
export const withoutChildProcess = replaceImport('without-child-process', /^(node:)?child_process$/, /\/commander\//, 'module.exports = {};');

/** Inquirer can start an editor, which nothing here uses. Its package is ten times the size of the rest, all read before the first question. */
export const withoutEditor = replaceImport('without-editor', /^@inquirer\/external-editor$/, /./, 'module.exports = {};');

/** Replaces the old string-width of cli-table3, which is slow and wrong for combining marks. */
export const ownMeasure = replaceImport('own-measure', /^string-width$/, /\/cli-table3\//, "module.exports = require('./src/formats/text-width.ts').measure;");
