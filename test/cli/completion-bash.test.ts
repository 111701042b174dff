import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bashLine, bashText } from '../../src/cli/completion/complete.js';
import { runAll, testInShop, type CliFixture } from '../support/cli.js';

/** The completions that bash gets for a line up to the cursor. */
async function inBash({ petstore }: CliFixture, line: string): Promise<string> {
  const { exitCode, stdout, stderr } = await petstore(['complete', 'bash', ' \t\n"\'@><=;|&(:', line]);
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout;
}

testInShop('returns the rest of a word after a bash word break', async (cli) => {
  await runAll(cli, ['category create --name "a b\'c"', 'category create --name co:lon=x']);
  expect(await inBash(cli, 'petstore pet list --status=av')).toBe(':\navailable\t\n');
  expect(await inBash(cli, 'petstore pet list --category co:')).toBe(':\nlon=x\tcategory 5\n');
  expect(await inBash(cli, 'petstore pet list --category a')).toBe(":\na\\ b\\'c\tcategory 4\n");
  expect(await inBash(cli, 'petstore pet list --category "a ')).toBe(":\na b'c\tcategory 4\n");
  expect(await inBash(cli, "petstore pet list --category='a ")).toBe(":\na b'\\''c\tcategory 4\n");
  expect(await inBash(cli, 'petstore pet list --category a\\ b\\')).toBe(":\na\\ b\\'c\tcategory 4\n");
  expect(await inBash(cli, 'petstore pet list --category A')).toBe(":\na\\ b\\'c\tcategory 4\n");
  expect(await inBash(cli, 'petstore pet list --category CO:')).toBe(':\n');
});

/** Any valid name. */
const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) && text === text.trim());

test('parses the line that bash passes', () => {
  fc.assert(
    fc.property(name, name, (one, other) => {
      const line = `petstore ${bashText(one, undefined)} '${bashText(other, "'")}' "${bashText(one, '"')}" ${bashText(other, undefined)}`;
      const { before, last, quote } = bashLine(line, '');
      expect([before, last, quote]).toEqual([['petstore', one, other, one.includes('!') ? expect.any(String) : one], other, undefined]);
    }),
  );
});
