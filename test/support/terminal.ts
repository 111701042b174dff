import { test } from 'vitest';
import { environment, petstore, start, type ProcessResult } from './program.js';
import { skipWith, missingTool } from './optional-tools.js';

/** Why there is no pseudo-terminal on this machine, or undefined if there is one. */
export const noTerminal: string | undefined = missingTool('script(1) of util-linux', 'script', ['-qec', 'true', '/dev/null']);

/** A test that needs a pseudo-terminal. */
export function testInTerminal(name: string, scenario: () => Promise<void>, run: typeof test | typeof test.concurrent = test): void {
  run(name, async (context) => {
    skipWith(noTerminal, context);
    await scenario();
  });
}

/** The text on the screen, without colours and cursor movements; a command line that continues after a backslash is one line. */
export function plain(text: string): string {
  // eslint-disable-next-line no-control-regex -- that is what is taken out
  const uncoloured = text.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, '');
  return uncoloured
    .replaceAll('\r', '')
    .replaceAll(/ \\\n +/g, ' ')
    .replaceAll(/:\n {2}(?=petstore )/g, ': ');
}

/** The terminal that a command runs in. */
interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly more?: Readonly<Record<string, string>>;
  /** The file that the process id is written to. */
  readonly pidFile?: string;
  /** The terminal is closed by the test, so its state cannot be checked afterwards. */
  readonly lost?: boolean;
}

/** The output to wait for since the last step, and the keys to type or the action to run then; `hangUp` closes the terminal. */
export type Step = readonly [see: RegExp, then: string | ((at: { readonly type: (keys: string) => void; readonly hangUp: () => void }) => unknown)];

const changedTerminal = 'The terminal is not as it was.';

/**
 * Runs a command line in a pseudo-terminal, step by step: keys are typed only after the expected output. Afterwards the
 * terminal settings must be restored and the cursor visible.
 */
export async function runInTerminal(
  store: string,
  line: string,
  steps: readonly Step[] = [],
  { columns = 80, rows = 24, more = {}, pidFile = '/dev/null', lost = false }: TerminalOptions = {},
): Promise<ProcessResult> {
  const command = `echo $$ > "${pidFile}"; exec "${process.execPath}" "${petstore}" ${line}`.replaceAll("'", `'\\''`);
  // Ctrl-C and Ctrl-\ are also sent to this shell, which must continue to return the exit code.
  const shell = `trap : INT QUIT; ulimit -c 0; stty cols ${columns} rows ${rows}; before=$(stty -g); sh -c '${command}'; code=$?; [ "$before" = "$(stty -g)" ] || echo "${changedTerminal}"; exit $code`;
  const { child, ended } = start('script', ['-qec', shell, '/dev/null'], environment(store, more));
  const waiting = [...steps];
  let screen = '';
  let seen = 0;
  const look = (text: string): void => {
    screen += text;
    const [step] = waiting;
    if (step === undefined || !step[0].test(plain(screen.slice(seen)))) return;
    waiting.shift();
    seen = screen.length;
    const type = (typing: string): void => void child.stdin.write(typing);
    if (typeof step[1] === 'string') type(step[1]);
    else step[1]({ type, hangUp: () => void child.kill('SIGKILL') });
  };
  child.stdout.on('data', look);
  // A step that waits for nothing is typed ahead.
  look('');
  const patience = setTimeout(() => child.kill('SIGKILL'), 40_000);
  const end = await ended.finally(() => clearTimeout(patience));
  const { stdout } = end;
  if (lost) return end;
  if (waiting.length > 0) throw new Error(`${String(waiting[0]?.[0])} was never seen:\n${plain(stdout)}`);
  if (stdout.includes(changedTerminal) || stdout.lastIndexOf('\u001b[?25h') < stdout.lastIndexOf('\u001b[?25l'))
    throw new Error(`${changedTerminal}\n${stdout}`);
  return end;
}

/** The special keys. */
export const keys = {
  enter: '\r',
  tab: '\t',
  down: '\u001b[B',
  up: '\u001b[A',
  escape: '\u001b',
  interrupt: '\u0003',
  quit: '\u001c',
  end: '\u0004',
  erase: '\u007f',
} as const;
