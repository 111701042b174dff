import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

interface Source {
  readonly path: string;
  /** The text without comments. */
  readonly code: string;
  readonly lines: readonly string[];
  readonly imports: readonly { readonly from: string; readonly typeOnly: boolean }[];
}

const root = fileURLToPath(new URL('../src/', import.meta.url));

function importsOf(path: string, code: string): Source['imports'] {
  const found = [...code.matchAll(/(?:^|\n)(?:import|export)\s+(type\s+)?([^;'"]*?\sfrom\s+)?'([^']+)'|(\btypeof )?\bimport\('([^']+)'\)/g)];
  return found.map(([, type, names = '', from = '', ofType, dynamic]) => {
    const target = dynamic ?? from;
    // `import { type A, type B }` imports only types.
    const typeOnly =
      type !== undefined || ofType !== undefined || (/\{/.test(names) && [...names.matchAll(/[{,]\s*(type\s)?\s*\w/g)].every(([, one]) => one !== undefined));
    return { from: target.startsWith('.') ? sourceOf(normalize(join(dirname(path), target))) : target, typeOnly };
  });
}

/** The source file that an import names by the file which a compiler would make of it. */
function sourceOf(path: string): string {
  const source = path.replace(/\.js$/, '.ts');
  return existsSync(join(root, source)) ? source : source.replace(/\.ts$/, '.tsx');
}

const isSource = (path: string): boolean => /\.tsx?$/.test(path);

function read(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  const code = text.replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' ')).replaceAll(/(^|\s)\/\/.*$/gm, '$1');
  return { path, code, lines: text.replace(/\n$/, '').split('\n'), imports: importsOf(path, code) };
}

const sources = (readdirSync(root, { recursive: true }) as readonly string[]).filter(isSource).map(read);

interface Layer {
  readonly name: string;
  readonly within: RegExp;
  readonly ours: RegExp;
  readonly packages: RegExp;
  /** What it may import only types of. */
  readonly types?: RegExp;
}

/** The layers: their files, and the files and packages that they may import (types and `import()` included). The first match is used. */
const layers: readonly Layer[] = [
  { name: 'domain/hooks', within: /^domain\/hooks\/hook-url\.ts$/, ours: /^domain\//, packages: /^ipaddr\.js$/ },
  { name: 'domain', within: /^domain\//, ours: /^domain\//, packages: /^valibot$/ },
  { name: 'formats', within: /^formats\//, ours: /^(domain|formats)\//, packages: /^(csv-parse\/sync|csv-stringify\/sync|string-width|node:.*)$/ },
  {
    name: 'storage/sqlite',
    within: /^storage\/sqlite\//,
    ours: /^((domain|formats|storage)\/|system\.ts$)/,
    packages: /^(better-sqlite3|better-sqlite3-13|node:.*)$/,
  },
  { name: 'storage/postgres', within: /^storage\/postgres\//, ours: /^(domain|formats|storage)\//, packages: /^(pg|node:.*)$/ },
  { name: 'storage', within: /^storage\//, ours: /^(domain|formats|storage)\//, packages: /^(valibot|node:.*)$/ },
  { name: 'http/contract', within: /^http\/contract\//, ours: /^(domain|http\/contract)\//, packages: /^(valibot|node:.*)$/ },
  { name: 'http/openapi', within: /^http\/openapi\//, ours: /^(domain|http\/(contract|openapi))\//, packages: /^(valibot|@valibot\/to-json-schema)$/ },
  // The client is loaded by every command on the shop of a server, so it uses no package.
  { name: 'http/client', within: /^http\/client\//, ours: /^(domain|formats|http\/(contract|client))\//, packages: /^node:.*$/ },
  {
    name: 'http/server',
    within: /^http\/server\//,
    ours: /^(domain|formats|http\/(contract|server)|http\/openapi\/document\.ts$|system\.ts$)/,
    packages: /^(bwip-js\/node|fastify|@fastify\/(cors|rate-limit)|ipaddr\.js|negotiator|prom-client|valibot|node:.*)$/,
  },
  {
    name: 'mcp',
    within: /^mcp\//,
    ours: /^(domain|mcp)\//,
    packages: /^(@modelcontextprotocol\/sdk\/.*|node:.*)$/,
  },
  // Sends the events of a shop to its hooks; it knows neither the engines nor the server.
  { name: 'hooks', within: /^hooks\//, ours: /^(domain|hooks)\//, packages: /^node:.*$/ },
  { name: 'settings', within: /^settings\//, ours: /^((domain|settings)\/|system\.ts$)/, packages: /^(env-paths|node:.*)$/ },
  {
    name: 'cli',
    within: /^cli\//,
    ours: /^((domain|formats|settings|cli)\/|system\.ts$)/,
    packages: /^(bwip-js\/node|commander|inquirer|chalk|cli-table3|string-width|cli-progress|node:.*)$/,
  },
  // Runs in a browser; of the other layers it contains only these functions without side effects.
  {
    name: 'board',
    within: /^board\//,
    ours: /^(board\/|domain\/(codes\/gtin|inventory\/plausible-units|ledger\/(change-text|field-labels))\.ts|formats\/spreadsheet\.ts|http\/contract\/(media-types|pages)\.ts)/,
    packages: /^(preact|preact\/hooks|@preact\/signals)$/,
    types: /^(domain\/|valibot$)/,
  },
  // What differs between operating systems, and how a folder is made on all of them.
  { name: 'system', within: /^system\.ts$/, ours: /^$/, packages: /^node:(fs|path)$/ },
  { name: 'app', within: /^app\//, ours: /./, packages: /^(pino|jq-wasm|node:.*)$/ },
];

test('every file imports only what its layer may import', () => {
  const forbidden = sources.flatMap(({ path, imports }) => {
    const layer = layers.find(({ within }) => within.test(path));
    if (layer === undefined) return [`${path} belongs to no layer`];
    const isAllowed = ({ from, typeOnly }: Source['imports'][number]): boolean =>
      (isSource(from) ? layer.ours : layer.packages).test(from) || (typeOnly && layer.types?.test(from) === true);
    return imports.filter((one) => !isAllowed(one)).map(({ from }) => `${path} imports ${from}`);
  });
  expect(forbidden).toEqual([]);
});

test('only one file asks for the operating system; others name it', () => {
  const asking = sources.filter(({ code }) => /process\.platform|\bplatform\(\)/.test(code)).map(({ path }) => path);
  expect(asking.toSorted()).toEqual(['app/main.ts', 'app/native-binding.ts', 'system.ts']);
});

test('the packages that the product is made of are in use', () => {
  const imported = new Set(sources.flatMap(({ imports }) => imports.map(({ from }) => from)));
  for (const name of ['commander', 'inquirer', 'chalk', 'cli-table3', 'better-sqlite3']) expect([name, imported.has(name)]).toEqual([name, true]);
});

/** The circles in a graph of files: groups of files that import each other directly or indirectly (Tarjan's algorithm). */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const [order, lowest, stack, circles] = [new Map<string, number>(), new Map<string, number>(), [] as string[], [] as string[][]];
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.size - 1);
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(next) ?? 0));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1 || (graph.get(file) ?? []).includes(file)) circles.push(group.toSorted());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}

test('the search for import circles finds them', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', ['e']],
    ['e', []],
    ['f', ['f']],
  ]);
  expect(circlesIn(graph)).toEqual([['a', 'b', 'c'], ['f']]);
});

test('no import is circular, types and import() included', () => {
  expect(circlesIn(new Map(sources.map(({ path, imports }) => [path, imports.map(({ from }) => from).filter(isSource)])))).toEqual([]);
});

/** Access to the outside world, and exactly the files that use it. */
const outsideAccess: readonly (readonly [name: string, used: RegExp, files: readonly string[]])[] = [
  [
    'process',
    /(?<![\w.'-])process\s*[.[]/,
    [
      'app/main.ts',
      'app/native-binding.ts',
      'app/serve.ts',
      'app/server-log.ts',
      'app/start.ts',
      'app/stop-signal.ts',
      'app/version.ts',
      'app/worker.ts',
      'cli/commands/log-reader.ts',
      'cli/io.ts',
      'cli/prompts/line-input.ts',
      'cli/prompts/terminal-prompter.ts',
      'cli/run-line.ts',
      'settings/config-file.ts',
      'storage/retry.ts',
      'storage/secrets.ts',
      'system.ts',
    ],
  ],
  ['the clock', /\bDate\.now\b|\bnew Date\(\s*\)/, ['app/main.ts', 'app/worker.ts', 'cli/io.ts']],
  ['the console, random numbers or process as an import', /(?<![\w.])console\s*\.|\bMath\.random\b|'node:process'/, []],
];

for (const [name, used, files] of outsideAccess) {
  test(`${name}: used by exactly the files that may access the outside world`, () => {
    // The board runs in a browser, which has no other side.
    expect(
      sources
        .filter(({ path, code }) => !path.startsWith('board/') && used.test(code))
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(files);
  });
}

test('no rule, format, setting or command waits by a timer', () => {
  const timer = /\bset(Timeout|Interval|Immediate)\b|node:timers|\bperformance\.now\b/;
  const withoutTimers = /^(domain|formats|settings|cli\/(commands|completion|help|output)|http\/(contract|openapi)|storage\/(bulk|copy|migrations|tables))\//;
  expect(sources.filter(({ path, code }) => withoutTimers.test(path) && timer.test(code)).map(({ path }) => path)).toEqual([]);
});

test('names follow the naming rules, and exports are named', () => {
  for (const { path, code } of sources) {
    expect([path, /^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*\.tsx?$/.test(path)]).toEqual([path, true]);
    expect([path, 'default export', /\bexport default\b|\bas default\b/.test(code)]).toEqual([path, 'default export', false]);
    expect([path, 'any', /(?<!\w)(?:as|:|<|\|)\s*any\b/.test(code)]).toEqual([path, 'any', false]);
    const statements = code.split(/;\s*\n|\n(?=\S)/).filter((statement) => statement.trim() !== '');
    expect([path, 'barrel', statements.every((statement) => /^\s*export\s+(type\s+)?(\*|\{[^}]*\})\s+from\b/.test(statement))]).toEqual([
      path,
      'barrel',
      false,
    ]);
  }
});

test('the domain names no command, flag or exit code of the command line', () => {
  const found = sources.flatMap(({ path, lines }) =>
    path.startsWith('domain/') ? lines.filter((line) => /--[a-z]|\bpetstore [a-z]|\bexit codes?\b/.test(line)).map((line) => `${path}: ${line.trim()}`) : [],
  );
  expect(found).toEqual([]);
});

test('every exported name has a doc comment', () => {
  const bare = sources.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => {
      const name = /^export (?:declare |async |abstract )*(?:const|function\*?|class|interface|type|enum) (\w+)/.exec(line)?.[1];
      return name === undefined || lines[index - 1]?.endsWith('*/') === true ? [] : [`${path}: ${name}`];
    }),
  );
  expect(bare).toEqual([]);
});

/** The top-level functions of a file with their lines; braces are counted from the head. */
function functionsOf({ path, code }: Source): readonly (readonly [name: string, length: number])[] {
  const lines = code.split('\n');
  return lines.flatMap((line, start) => {
    const name = /^(?:export )?(?:async )?function\*? (\w+)/.exec(line)?.[1];
    if (name === undefined) return [];
    const end = lines.findIndex((one, index) => index > start && one === '}');
    return [[`${path}: ${name}`, (end < 0 ? lines.length : end) - start + 1] as const];
  });
}

const maximumFileLines = 300;
const maximumFunctionLines = 60;
test('files have at most 300 lines and functions at most 60', () => {
  const lengths = sources.map(({ path, lines }) => [path, lines.length] as const);
  expect(lengths.filter(([, length]) => length > maximumFileLines)).toEqual([]);
  const heights = sources.flatMap(functionsOf);
  expect(heights.filter(([, length]) => length > maximumFunctionLines)).toEqual([]);
});
