// Plugins for esbuild that leave out, or load late, what the program does not need. Each takes 2 ms of a start or more.

/** Replaces the imports that match `filter`, in files whose paths match `importers`, by the code that `contentsOf` returns. */
function replaceImport(name, filter, importers, contentsOf) {
  return {
    name,
    setup(bundle) {
      bundle.onResolve({ filter }, ({ path, importer }) => (importers.test(importer) ? { path, namespace: name } : undefined));
      bundle.onLoad({ filter: /.*/, namespace: name }, ({ path }) => ({ contents: contentsOf(path) }));
    },
  };
}

/** Loads string-width with the first text that is not ASCII: loading takes 20 ms, the first text 15 ms. */
export const lateWidth = replaceImport(
  'late-width',
  /^string-width$/,
  /\/text-width\.ts$/,
  () => "let width; module.exports = (text) => (width ??= require('../dist/string-width.cjs'))(text);",
);

/** Commander requires child_process for subcommands that are programs of their own, which ours are not. */
export const withoutChildProcess = replaceImport('without-child-process', /^(node:)?child_process$/, /\/commander\//, () => 'module.exports = {};');

/** Inquirer can start an editor, which nothing here uses; the package for it is ten times the size of all the others. */
export const withoutEditor = replaceImport('without-editor', /^@inquirer\/external-editor$/, /./, () => 'module.exports = {};');

/** Chalk loads tty to find out what the terminal can show; here it is given the level. */
export const withoutDetection = replaceImport('without-detection', /^#supports-color$/, /\/chalk\//, () => 'export default { stdout: false, stderr: false };');
