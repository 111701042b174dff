import Database from 'better-sqlite3';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, test } from 'vitest';
import { testFolder } from './files.js';
import { prepare } from './program.js';
import { plain, testInTerminal } from './terminal.js';

/** The shops of a file of tests of prompts. */
interface PromptShops {
  /** A folder for other files; it is removed after the tests. */
  readonly folder: string;
  /** A scenario in a new shop: Rex (1), Bella (2) and Whiskers (3) with control characters, 5 of each, in Dogs; Fish and frogs is empty. */
  readonly testPrompts: (name: string, scenario: (store: string) => Promise<void>) => void;
}

/** Creates the shop that every scenario gets a copy of, before the tests. */
export function promptShops(): PromptShops {
  const folder = testFolder();
  const fresh = join(folder, 'fresh.db');
  let shops = 0;
  beforeAll(async () => {
    const pets = ['Rex', 'Bella', 'Whiskers'].map((name) => ['pet', 'create', '--name', name, '--category', '1', '--quantity', '5']);
    await prepare(fresh, ['init'], ['category', 'create', '--name', 'Dogs'], ['category', 'create', '--name', 'Fish and frogs'], ...pets);
    // A name that the shop refuses, written by another program.
    const database = new Database(fresh);
    database.prepare('UPDATE pets SET name = ? WHERE id = 3').run('Whi\u001b[31msk\u202eers\u0007');
    database.close();
  });
  const testPrompts: PromptShops['testPrompts'] = (name, scenario) => {
    const store = join(folder, `shop-${(shops += 1)}.db`);
    testInTerminal(
      name,
      async () => {
        copyFileSync(fresh, store);
        await scenario(store);
      },
      test.concurrent,
    );
  };
  return { folder, testPrompts };
}

/** The command line that the prompts print at the end. */
export function lineOf(stdout: string): string {
  return /^(?:As a command|The command was): petstore (.*)$/m.exec(unwrapped(stdout))?.[1] ?? '';
}

/** The output without colours, with each command line that was too long for the terminal in one line. */
export function unwrapped(stdout: string): string {
  return plain(stdout)
    .replaceAll(/ \\\n +/g, ' ')
    .replaceAll(/^(As a command:|The command was:)\n +/gm, '$1 ');
}
