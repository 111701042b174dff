// Which module goes into which bundle of a build. A command starts from one bundle and loads others with import(). A bundle holds
// all that its modules need, so a module may be in several of them, each with its own copy. Modules therefore keep no state, errors
// are recognised by their name, and schemas and operations by their name or id, never as the same object.
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The groups of commands, with the modules that hold them. */
const groups = {
  ...Object.fromEntries(['find', 'receive', 'sell', 'undo'].map((name) => [name, `counter/${name}`])),
  ...Object.fromEntries(
    ['category', 'config', 'count', 'inventory', 'order', 'pet', 'profile', 'report', 'token'].map((name) => [name, `${name}/${name}-commands`]),
  ),
  ...Object.fromEntries(
    ['backup', 'commands', 'completion', 'copy', 'doctor', 'init', 'log', 'openapi', 'restore', 'serve', 'status'].map((name) => [name, name]),
  ),
};

const commandsOf = (names) => names.map((name) => `src/cli/commands/${groups[name]}.ts`);

/** Chunks: bundles with modules that few commands need, by the modules that others import from them with import(). */
export const chunks = {
  commands: commandsOf(Object.keys(groups)),
  storage: ['src/storage/shop.ts', 'src/storage/sqlite/engine.ts'],
  bulk: [
    'src/storage/bulk/import-pets.ts',
    'src/storage/bulk/import-stock.ts',
    'src/storage/bulk/undo-batch.ts',
    'src/storage/sqlite/bulk.ts',
    'src/storage/sqlite/pet-bulk.ts',
  ],
  maintenance: ['src/storage/maintenance/maintenance.ts', 'src/storage/sqlite/maintenance.ts', 'src/storage/sample.ts'],
  copy: ['src/storage/copy/copy-stores.ts'],
  remote: ['src/http/client/remote-shop.ts'],
  openapi: ['src/http/openapi/document.ts'],
  prompts: ['src/cli/prompts/terminal-prompter.ts', 'src/cli/prompts/menu.ts', 'src/cli/prompts/pickers.ts'],
  completion: ['src/cli/completion/complete.ts', 'src/storage/sqlite/look-up.ts'],
  topics: ['src/cli/help/show-topic.ts'],
  charts: ['src/cli/output/charts.ts'],
  pager: ['src/cli/output/pager.ts'],
  token: ['src/settings/token-source.ts'],
  jq: ['src/cli/output/filter-output.ts', 'src/app/jq-thread.ts'],
  postgres: ['src/storage/postgres/engine.ts', 'src/storage/postgres/maintenance.ts'],
};

/**
 * The bundles that a command starts from, with the modules of chunks that they hold themselves: `petstore-pet` for command lines
 * that begin with `pet`, and so on, and `petstore` for all others. A single bundle of everything costs `pet list` 11 ms: V8
 * reads twice the source and bytecode, and collects garbage twice.
 */
export const mains = {
  petstore: [...chunks.storage, ...chunks.commands],
  'petstore-help': [],
  'petstore-complete': chunks.completion,
  ...Object.fromEntries(
    ['category', 'inventory', 'log', 'order', 'pet', 'status'].map((name) => [`petstore-${name}`, [...chunks.storage, ...commandsOf([name])]]),
  ),
};

/** Packages that few commands need, each a bundle of its own; commands import the default export of those with `.default`. */
export const packages = {
  inquirer: '.default',
  'cli-progress': '',
  chalk: '',
  'string-width': '.default',
  'simple-ascii-chart': '.default',
  'csv-parse/sync': '',
};

/** The name of the bundle that holds a package. */
export const bundleOfPackage = (name) => name.replace('/', '-');

/** The code that a chunk begins with: its modules by path, each run when it is first asked for. */
export function chunkEntry(name) {
  const modules = chunks[name].map((path) => `${JSON.stringify(path)}: () => require('./${path}')`);
  return `module.exports = {\n${modules.join(',\n')}\n};`;
}

const chunkOf = new Map(Object.entries(chunks).flatMap(([chunk, paths]) => paths.map((path) => [path, chunk])));
const packageNames = new RegExp(`^(cli-table3|${Object.keys(packages).join('|')})$`);

/** For esbuild: leaves the bundles that the code of plugins names to be loaded when they are needed. */
export const otherBundles = {
  name: 'other-bundles',
  setup(bundle) {
    for (const namespace of ['chunk', 'late-width']) bundle.onResolve({ filter: /\.cjs$/, namespace }, ({ path }) => ({ path, external: true }));
  },
};

/**
 * For esbuild: takes what is in another bundle from there. A bundle of the server takes the modules of PostgreSQL from their
 * chunk, and one of a command those of all chunks except `kept`, the server and the packages.
 */
export function fromBundles(kind, kept = []) {
  const isElsewhere = (file) => chunkOf.has(file) && !kept.includes(file) && (kind === 'command' || chunkOf.get(file) === 'postgres');
  return {
    name: 'from-bundles',
    setup(bundle) {
      bundle.onResolve({ filter: /^\..*\.js$/ }, ({ path, importer }) => {
        const file = relative(root, join(dirname(importer), path)).replace(/\.js$/, '.ts');
        return isElsewhere(file) ? { path: file, namespace: 'chunk' } : undefined;
      });
      bundle.onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({
        contents: `module.exports = require('./${chunkOf.get(path)}.cjs')[${JSON.stringify(path)}]();`,
      }));
      if (kind !== 'command') return;
      bundle.onResolve({ filter: /^\.\/serve\.js$/ }, () => ({ path: './serve.cjs', external: true }));
      bundle.onResolve({ filter: packageNames }, ({ path }) => ({ path: `./${bundleOfPackage(path)}.cjs`, external: true }));
    },
  };
}
