// Builds the page of the shop board, src/board, into the folder board of a build: one script and one stylesheet with a hash in their names,
// each only compressed, by gzip and by brotli, and index.html, which names them.
import * as esbuild from 'esbuild';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { sourceModule } from './build-plugins.js';

/** The most that the files of a kind may hold together, compressed with gzip; larger pages are slow on the phone in the stock room. */
export const maximumBytes = { '.js': 60 * 1024, '.css': 10 * 1024 };

/** The operations as the page calls them, by id: a table made from the contract, so that the page contains no operation. */
export async function operationTable() {
  const { contract, parametersOf, takesBody, scopeOf } = await sourceModule(`export { contract } from './src/domain/operations.ts';
    export { parametersOf } from './src/http/contract/parameters.ts';
    export { scopeOf, takesBody } from './src/http/contract/operation-rules.ts';`);
  const entry = (operation) => {
    const { id, method, path } = operation;
    return [id, { method, path, query: [...parametersOf(operation).query.keys()], body: takesBody(operation), scope: scopeOf(operation) }];
  };
  return Object.fromEntries(contract.map(entry));
}

function bundlePage(root, folder, table) {
  return esbuild.build({
    absWorkingDir: root,
    entryPoints: ['src/board/main.tsx', 'src/board/board.css', 'src/board/icon.svg'],
    outdir: join(folder, 'assets'),
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    // light-dark() in stylesheets: Chrome and Edge 123, Firefox 120, Safari 17.5, all of May 2024 or earlier.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'copy' },
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    write: false,
    define: { PETSTORE_OPERATIONS: JSON.stringify(table) },
  });
}

/** Refuses files of a kind that are together larger than the page may be. */
export function checkSize(files) {
  for (const [ending, maximum] of Object.entries(maximumBytes)) {
    const bytes = files.filter(({ path }) => path.endsWith(ending)).reduce((sum, { gzip }) => sum + gzip.length, 0);
    if (bytes > maximum) throw new Error(`The ${ending} files of the board have ${bytes} bytes with gzip; the maximum is ${maximum}.`);
  }
}

/** index.html with the names that the build gave to the files it loads. */
function pageWith(root, outputs) {
  const nameOf = (source) => basename(Object.keys(outputs).find((path) => outputs[path].entryPoint === `src/board/${source}`));
  // The server puts its base path before /board/.
  return readFileSync(join(root, 'src/board/index.html'), 'utf8').replaceAll(
    /(src|href)="([\w.-]+)"/g,
    (_, name, source) => `${name}="/board/assets/${nameOf(source)}"`,
  );
}

/** Writes a file of a page, only compressed; the best quality of brotli takes seconds for a large file, and saves only a tenth. */
export function writeCompressed(path, contents, quality = constants.BROTLI_MAX_QUALITY) {
  const { BROTLI_PARAM_SIZE_HINT: size, BROTLI_PARAM_QUALITY: chosen } = constants;
  writeFileSync(`${path}.gz`, gzipSync(contents, { level: 9 }));
  writeFileSync(`${path}.br`, brotliCompressSync(contents, { params: { [size]: contents.length, [chosen]: quality } }));
}

/** Builds the page into `folder`; answers with the paths of the files that it is made of. */
export async function buildBoard(root, folder) {
  const { outputFiles, metafile } = await bundlePage(root, folder, await operationTable());
  const files = outputFiles.map(({ path, contents }) => ({ path, contents, gzip: gzipSync(contents, { level: 9 }) }));
  checkSize(files);
  mkdirSync(join(folder, 'assets'), { recursive: true });
  for (const { path, contents } of files) writeCompressed(path, contents);
  writeFileSync(join(folder, 'index.html'), pageWith(root, metafile.outputs));
  return Object.keys(metafile.inputs);
}
