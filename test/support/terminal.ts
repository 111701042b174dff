import { execFileSync } from 'node:child_process';
import { test } from 'vitest';
import { environment, petstore, start, type Ended } from './program.js';

/** Why there is no pseudo-terminal here, or undefined when there is one. */
function withoutTerminal(): string | undefined {
  try {
    execFileSync('script', ['-qec', 'true', '/dev/null'], { stdio: 'ignore' });
    return undefined;
  } catch (error) {
    return `no pseudo-terminal: script(1) of util-linux is needed (${error instanceof Error ? error.message : String(error)})`;
  }
}

const reason = withoutTerminal();

/** A test that needs a pseudo-terminal. */
export function inTerminal(name: string, scenario: () => Promise<void>): void {
  test(name, async (context) => {
    if (reason !== undefined) {
      console.warn(`${name}: ${reason}`);
      context.skip(reason);
    }
    await scenario();
  });
}

/** What is typed at a terminal once something stands on it. */
export interface Typing {
  readonly question: RegExp;
  readonly keys: string;
}

/** Runs a command of the program in a terminal of 80 by 24. */
export async function typed(store: string, line: string, more: Readonly<Record<string, string>>, typing?: Typing): Promise<Ended> {
  const command = `stty cols 80 rows 24; exec "${process.execPath}" "${petstore}" ${line}`;
  const { child, ended } = start('script', ['-qec', command, '/dev/null'], environment(store, more));
  let screen = '';
  let waiting = typing;
  child.stdout.on('data', (text: string) => {
    screen += text;
    if (waiting === undefined || !waiting.question.test(screen)) return;
    child.stdin.write(waiting.keys);
    waiting = undefined;
  });
  return ended;
}
