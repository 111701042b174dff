import { readdirSync, readFileSync } from 'node:fs';
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
  const found = [...code.matchAll(/(?:^|\n)(?:import|export)\s+(type\s+)?([^;'"]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/g)];
  return found.map(([, type, names = '', from = '', dynamic]) => {
    const target = dynamic ?? from;
    // `import { type A, type B }` brings in types alone.
    const typeOnly = type !== undefined || (/\{/.test(names) && [...names.matchAll(/[{,]\s*(type\s)?\s*\w/g)].every(([, one]) => one !== undefined));
    return { from: target.startsWith('.') ? normalize(join(dirname(path), target)).replace(/\.js$/, '.ts') : target, typeOnly };
  });
}

function read(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  const code = text.replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' ')).replaceAll(/(^|\s)\/\/.*$/gm, '$1');
  return { path, code, lines: text.replace(/\n$/, '').split('\n'), imports: importsOf(path, code) };
}

const sources = (readdirSync(root, { recursive: true }) as readonly string[]).filter((path) => path.endsWith('.ts')).map(read);

/** Where each layer may reach: ours by the start of the path, packages by name. */
const layers: readonly { readonly within: RegExp; readonly ours: RegExp; readonly packages: RegExp }[] = [
  { within: /^domain\//, ours: /^domain\//, packages: /^valibot$/ },
  { within: /^formats\//, ours: /^(domain|formats)\//, packages: /^(csv-parse\/sync|csv-stringify\/sync|node:.*)$/ },
  { within: /^storage\/sqlite\//, ours: /^(domain|formats|storage)\//, packages: /^(better-sqlite3|better-sqlite3-13|node:.*)$/ },
  { within: /^storage\/postgres\//, ours: /^(domain|formats|storage)\//, packages: /^(pg|node:.*)$/ },
  { within: /^storage\/(?!sqlite\/|postgres\/)/, ours: /^(domain|formats|storage)\//, packages: /^(valibot|node:.*)$/ },
  // The client loads with every command that asks a server, and so brings no package along.
  { within: /^http\/(client|exchange|client-[a-z]+|[a-z]+-client)\.ts$/, ours: /^(domain|http)\//, packages: /^node:.*$/ },
  { within: /^http\/openapi\//, ours: /^(domain|http)\//, packages: /^@valibot\/to-json-schema$/ },
  {
    within: /^http\/(?!openapi\/|(client|exchange|client-[a-z]+|[a-z]+-client)\.ts$)/,
    ours: /^(domain|http)\//,
    packages: /^(fastify|@fastify\/(cors|rate-limit)|prom-client|valibot|node:.*)$/,
  },
  // The door shows what the settings come to; the others read and keep what they are made of.
  { within: /^settings\/door\.ts$/, ours: /^(domain\/|settings(\/|\.ts$))/, packages: /^node:.*$/ },
  { within: /^settings\/(?!door\.ts$)/, ours: /^(domain\/|settings\/|cli\/formats\.ts$)/, packages: /^(env-paths|node:.*)$/ },
  {
    within: /^cli\//,
    ours: /^(domain|formats|cli)\//,
    packages: /^(commander|inquirer|chalk|cli-table3|string-width|simple-ascii-chart|cli-progress|node:.*)$/,
  },
];

test('every file stays within its layer', () => {
  const strays = sources.flatMap(({ path, imports }) => {
    const layer = layers.find(({ within }) => within.test(path));
    if (layer === undefined) return [];
    return imports
      .filter(
        ({ from, typeOnly }) =>
          !(from.endsWith('.ts') ? layer.ours : layer.packages).test(from) && !(/^(cli|settings)\//.test(path) && typeOnly && /^settings(\.ts$|\/)/.test(from)),
      )
      .map(({ from }) => `${path} imports ${from}`);
  });
  expect(strays).toEqual([]);
});

test('only a few files at the top wire the layers together', () => {
  const loose = sources.filter(({ path }) => !layers.some(({ within }) => within.test(path)));
  expect(loose.map(({ path }) => path).toSorted()).toEqual(['main.ts', 'serving.ts', 'settings.ts', 'start.ts', 'version.ts', 'working.ts']);
  // What serving takes is read by `serve` alone; the document alone is for a command of its own.
  const wired = loose.flatMap(({ path, imports }) => imports.filter(({ typeOnly }) => !typeOnly).map(({ from }) => `${path} ${from}`));
  expect(wired.filter((one) => / http\//.test(one)).toSorted()).toEqual([
    'main.ts http/client.ts',
    'main.ts http/openapi.ts',
    'serving.ts http/premises.ts',
    'serving.ts http/server.ts',
  ]);
  const settings = loose.find(({ path }) => path === 'settings.ts')?.imports.map(({ from }) => from) ?? [];
  expect(settings.filter((from) => /^(cli|storage|formats)\//.test(from))).toEqual(['cli/formats.ts']);
});

/** What belongs to the outside world, and the files that may touch it. */
const outside: readonly (readonly [name: string, used: RegExp, allowed: RegExp])[] = [
  ['process', /(?<![\w.'-])process\s*[.[]/, /^(main|serving|start|settings\/(configuration|token)|storage\/clock|cli\/(io|pager|prompt))\.ts$/],
  ['console', /(?<![\w.])console\s*\./, /^(main|start)\.ts$/],
  ['Date.now', /\bDate\.now\b/, /^(main|serving|working|settings|cli\/io)\.ts$/],
  ['new Date()', /\bnew Date\(\s*\)/, /^(main|settings|cli\/io)\.ts$/],
  ['Math.random', /\bMath\.random\b/, /^main\.ts$/],
  [
    'setTimeout',
    /\bset(Timeout|Interval|Immediate)\b|node:timers/,
    /^(serving|working|http\/(body|client|connections|door|events|exchange|follow-client|node-server|pages|server)|storage\/(follow|turns|writes)|storage\/sqlite\/engine|storage\/postgres\/pool|cli\/prompt)\.ts$/,
  ],
  ['performance', /\bperformance\.now\b/, /^http\//],
  ['process as an import', /'node:process'/, /^main\.ts$/],
];

for (const [name, used, allowed] of outside) {
  test(`${name} stands only where the outside world is handed in`, () => {
    expect(sources.filter(({ path, code }) => used.test(code) && !allowed.test(path)).map(({ path }) => path)).toEqual([]);
  });
}

test('names are spelt one way, and exported one by one', () => {
  for (const { path, code } of sources) {
    expect([path, /^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(path)]).toEqual([path, true]);
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

test('every exported name says what it is for', () => {
  const bare = sources.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => {
      const name = /^export (?:declare |async |abstract )*(?:const|function\*?|class|interface|type|enum) (\w+)/.exec(line)?.[1];
      return name === undefined || lines[index - 1]?.endsWith('*/') === true ? [] : [`${path}: ${name}`];
    }),
  );
  expect(bare).toEqual([]);
});

/** The functions of a file that stand on their own, with their lines; braces are counted from the head on. */
function functionsOf({ path, code }: Source): readonly (readonly [name: string, length: number])[] {
  const lines = code.split('\n');
  return lines.flatMap((line, start) => {
    const name = /^(?:export )?(?:async )?function\*? (\w+)/.exec(line)?.[1];
    if (name === undefined) return [];
    const end = lines.findIndex((one, index) => index > start && one === '}');
    return [[`${path}: ${name}`, (end < 0 ? lines.length : end) - start + 1] as const];
  });
}

const sitting = 300;
const screen = 60;
test('files are a sitting and functions a screen', () => {
  const lengths = sources.map(({ path, lines }) => [path, lines.length] as const);
  expect(lengths.filter(([, length]) => length > sitting)).toEqual([]);
  const heights = sources.flatMap(functionsOf);
  expect(heights.filter(([, length]) => length > screen)).toEqual([]);
});
