import { expect } from 'vitest';
import type { CliFixture } from './cli.js';

/** What the shell gets. */
interface Answer {
  readonly meant: string;
  /** The offered words with descriptions; "" for none. */
  readonly words: readonly (readonly [word: string, about: string])[];
}

/** The completions that zsh gets for the end of a line; never an error. */
export async function complete(
  { petstore }: CliFixture,
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
): Promise<Answer> {
  const { exitCode, stdout, stderr } = await petstore(['complete', 'zsh', ...words], { environment });
  expect([exitCode, stderr]).toEqual([0, '']);
  const [meant = '', ...lines] = stdout.split('\n').slice(0, -1);
  return { meant, words: lines.map((line) => line.split('\t') as unknown as readonly [string, string]) };
}

/** The words that zsh gets offered at the end of a line. */
export async function offeredWords(cli: CliFixture, ...words: readonly string[]): Promise<readonly string[]> {
  return (await complete(cli, words)).words.map(([word]) => word);
}
