import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Sentences that were replaced, as parts that no text of the program has again. */
const oldForms: readonly RegExp[] = [
  /What is to be done\?/,
  /stands at|Go on with:/,
  /is complete: |\(after a sale\)/,
  /is placed: /,
  /[Bb]atch \S+ is undone|rows? taken back/,
  /asked for\.`|was asked for|were asked for/,
  /of them reserved for order/,
  /is fine: |are fine: |takes (it|them)\./,
  /look the shop through|and mend it/,
  /while others go on/,
  /make the shop what it was/,
  /take complete orders back|their units return/,
  /worthless/,
  /for every command to come/,
  /goes before the environment/,
  /who the ledger names/,
  /How many came in|two went/,
  /Same again/,
  /promised/,
];

/** The texts of a TypeScript file: its string and template literals, without the parts that are code. */
function literals(source: string): string {
  const code = source.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');
  return [...code.matchAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)].map(([text]) => text).join('\n');
}

function filesIn(folder: string, ending: string): readonly string[] {
  return readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => `${folder}/${path}`);
}

const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8');
const sources = filesIn('src', '.ts');
const pages = [...filesIn('data/guide', '.md'), 'README.md', 'data/reference.md'];

test('no text of the program has an old form of a sentence', () => {
  expect([sources.length > 100, pages.length > 5]).toEqual([true, true]);
  const texts = [...sources.map((path) => [path, literals(read(path))]), ...pages.map((path) => [path, read(path)])];
  const found = texts.flatMap(([path, text = '']) => oldForms.filter((form) => form.test(text)).map((form) => `${path}: ${form.source}`));
  expect(found).toEqual([]);
});

test('an old form in a text is found, one in a comment is not', () => {
  const isOld = (source: string): boolean => oldForms.some((form) => form.test(literals(source)));
  expect(isOld("note('The other row is fine: --keep-going takes it.');")).toBe(true);
  expect(isOld('const text = `Batch ${id} is undone.`;')).toBe(true);
  expect(isOld('/** Why a batch is undone: it takes it. */')).toBe(false);
});
