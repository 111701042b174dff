import { errorCodes } from '../src/domain/errors.js';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formats } from '../src/settings/output-format.js';
import { flagSpelling } from '../src/cli/flags.js';
import { groups } from '../src/cli/command-groups.js';
import { everyGlobalFlag } from '../src/cli/help/command-entries.js';
import { guide } from './support/cli.js';
import { exitCodes } from '../src/cli/exit-codes.js';
import { chapters, documents, everything, read, root } from './support/documents.js';

const commands = (await Promise.all(groups.map(({ load }) => load()))).flat();

describe('README.md and the guide', () => {
  test('README.md has at most 300 lines and links every guide page', () => {
    const readme = read('README.md');
    expect(readme.split('\n').length).toBeLessThanOrEqual(300);
    expect(chapters.filter((path) => !readme.includes(`](${path})`))).toEqual([]);
    for (const path of chapters) expect(read(path)).toMatch(/^# \S.*\n\n\S/);
  });

  test.each([...documents, '.github/CONTRIBUTING.md'])('the links of %s have a target', (path) => {
    const anchorsOf = (text: string): readonly string[] =>
      [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} -]/gu, '')
          .replaceAll(' ', '-'),
      );
    const links = [...read(path).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(([, file = '', anchor]) => ({
      target: file === '' ? path : join(dirname(path), file),
      anchor,
    }));
    expect(links.filter(({ target }) => !existsSync(join(root, target)))).toEqual([]);
    expect(links.filter(({ target, anchor }) => anchor !== undefined && !anchorsOf(read(target)).includes(anchor))).toEqual([]);
  });

  test('the files that CONTRIBUTING.md names exist', () => {
    const named = [...read('.github/CONTRIBUTING.md').matchAll(/`((?:src|test|data|bin)\/[^`<>]*)`/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test.each(groups.map(({ name }) => name))('the overview names every command of %s', (group) => {
    const overview = read('data/guide/overview.md').split('\n');
    const row = overview.find((line) => line.startsWith(`| \`${group}\` |`)) ?? '';
    const words = commands.map(({ path }) => path);
    const missing = words.filter(([first, ...verb]) => first === group && verb.length > 0 && !row.split('|')[2]?.includes(`\`${verb.join(' ')}\``));
    expect(row).not.toBe('');
    expect(missing).toEqual([]);
  });

  test('the documents name every environment variable of the program', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const variables = files.flatMap((name) =>
      [...read(join('src', name)).matchAll(/(?:environment|env)\['([A-Z_]+)'\]|'(PETSTORE_[A-Z_]+)'/g)].map(([, variable = '', named = variable]) => named),
    );
    expect(variables).toContain('PETSTORE_STORE');
    for (const variable of new Set(variables)) expect(everything).toMatch(new RegExp(`\`${variable}[\`=]`));
  });

  test('the documents name only existing flags', () => {
    const spelt = [...commands.flatMap(({ flags }) => Object.values(flags)), ...everyGlobalFlag].map(flagSpelling);
    const known = new Set(spelt.flatMap((spelling) => spelling.match(/--[a-z-]+/g) ?? []));
    const lines = everything.match(/\bpetstore [a-z][^`|\n]*|`--[^`]*/g) ?? [];
    const named = lines.flatMap((line) => line.replaceAll(/"[^"]*"|'[^']*'/g, '').match(/(?<= |`)--[a-z-]+/g) ?? []);
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((flag) => !known.has(flag))).toEqual([]);
  });

  test('the documents name every format, exit code and help topic', () => {
    for (const name of formats) expect(read('data/guide/output.md')).toContain(`\`${name}\``);
    for (const name of guide.chapters()) expect(read('data/guide/overview.md')).toContain(`\`${name}\``);
    for (const exitCode of new Set(Object.values(exitCodes))) {
      const [, row = ''] = new RegExp(`^\\| ${exitCode} \\|(.*)$`, 'm').exec(read('data/guide/exit-codes.md')) ?? [];
      const named = [...row.matchAll(/`([a-z]+(?:_[a-z0-9]+)*)`/g)].map(([, code = '']) => code);
      const codes = errorCodes.filter((code) => exitCodes[code] === exitCode);
      expect([exitCode, named.toSorted()]).toEqual([exitCode, codes.toSorted()]);
    }
  });
});
