import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { built, environment, petstore, prepare, start } from '../support/program.js';

const folder = mkdtempSync(join(tmpdir(), 'petstore-completion-'));
const [store, home, bin] = [join(folder, 'shop.db'), join(folder, 'home'), join(folder, 'bin')];
/** What a name would make if a shell ran it. */
const trap = join(folder, 'trapped');
const names = { spaced: "a b'c", command: `$(touch ${trap})`, signs: 'se;mi "q" `x` !x *' } as const;

type ShellName = 'bash' | 'zsh' | 'fish';

/** Why a shell cannot be driven here, or undefined when it can. */
function missing(shell: ShellName): string | undefined {
  for (const [program, ...args] of [
    ['script', '-qec', 'true', '/dev/null'],
    [shell, '-c', 'true'],
  ] as const) {
    try {
      execFileSync(program, args, { stdio: 'ignore' });
    } catch {
      return `${program} is not here`;
    }
  }
  return undefined;
}

/** How each is started with nothing but what a test puts into its home. */
const starting: Readonly<Record<ShellName, string>> = { bash: 'bash --noprofile -i', zsh: 'zsh -i', fish: 'fish' };

/** What a home has before `completion --install`: a plain prompt, and nothing that draws while somebody types. */
function furnish(): void {
  mkdirSync(join(home, '.config', 'fish'), { recursive: true });
  writeFileSync(join(home, '.bashrc'), "PS1='$ '\nbind 'set enable-bracketed-paste off'\n");
  writeFileSync(join(home, '.zshrc'), "PS1='$ '\nunsetopt prompt_cr prompt_sp zle_bracketed_paste 2> /dev/null\n");
  writeFileSync(join(home, '.config', 'fish', 'config.fish'), "set fish_greeting\nset fish_autosuggestion_enabled 0\nfunction fish_prompt; echo '$ '; end\n");
}

/**
 * Types the start of a line into an interactive shell, presses the tab key and then Return; answers the words that the
 * program was run with. `told` stands for petstore on the line, so that the program itself only completes.
 */
async function typed(shell: ShellName, line: string): Promise<readonly string[]> {
  const out = join(folder, `${shell}-words`);
  rmSync(out, { force: true });
  const env = { ...environment(store), HOME: home, ZDOTDIR: home, XDG_CONFIG_HOME: join(home, '.config'), PATH: `${bin}:${process.env['PATH']}`, TOLD: out };
  const { child, ended } = start('script', ['-qec', `stty cols 300 rows 50; exec ${starting[shell]}`, '/dev/null'], env);
  let screen = '';
  child.stdout.on('data', (text: string) => (screen += text));
  const until = async (isThere: () => boolean): Promise<void> => {
    for (let tries = 0; !isThere(); tries += 1) {
      if (tries > 400) throw new Error(`${shell} stands still: ${JSON.stringify(screen)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await until(() => screen.includes('$ '));
  screen = '';
  child.stdin.write(`${line}\t`);
  // The helper says when it has answered; then the shell draws what it makes of it.
  await until(() => existsSync(`${out}.asked`));
  await new Promise((resolve) => setTimeout(resolve, 500));
  child.stdin.write('\r');
  await until(() => existsSync(out));
  child.stdin.write('exit\r');
  child.stdin.end();
  await ended;
  const { readFileSync } = await import('node:fs');
  rmSync(`${out}.asked`, { force: true });
  return readFileSync(out, 'utf8').split('\0').slice(0, -1);
}

beforeAll(async () => {
  await built();
  await prepare(store, ['init'], ...['Dogs', 'Cats', ...Object.values(names)].map((name) => ['category', 'create', '--name', name]));
  await prepare(store, ['pet', 'create', '--name', 'Rex', '--category', 'Dogs']);
  mkdirSync(bin);
  // Completes as the program does; any other line only leaves its words behind.
  const script = `#!/bin/sh
case $1 in
  complete) "${process.execPath}" "${petstore}" "$@"; : > "$TOLD.asked" ;;
  completion) exec "${process.execPath}" "${petstore}" "$@" ;;
  *) printf '%s\\0' "$@" > "$TOLD" ;;
esac
`;
  writeFileSync(join(bin, 'petstore'), script);
  chmodSync(join(bin, 'petstore'), 0o755);
  furnish();
  const env = { ...environment(store), HOME: home, ZDOTDIR: home, XDG_CONFIG_HOME: join(home, '.config') };
  for (const shell of Object.keys(starting)) {
    const { child, ended } = start(process.execPath, [petstore, 'completion', shell, '--install', '--yes'], env);
    child.stdin.end();
    expect((await ended).exitCode).toBe(0);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Lines up to the tab key, and the words that come of them. */
const lines: readonly (readonly [line: string, words: readonly string[]])[] = [
  ['petstore pet vi', ['pet', 'view']],
  ['petstore pets list --status=av', ['pets', 'list', '--status=available']],
  ['petstore pet list --category D', ['pet', 'list', '--category', 'Dogs']],
  ['petstore pet list --category a', ['pet', 'list', '--category', names.spaced]],
  ['petstore pet list --category "a ', ['pet', 'list', '--category', names.spaced]],
  ["petstore pet list --category 'a ", ['pet', 'list', '--category', names.spaced]],
  ['petstore pet list --category \\$', ['pet', 'list', '--category', names.command]],
  ["petstore pet list --category '$", ['pet', 'list', '--category', names.command]],
  ['petstore pet list --category se', ['pet', 'list', '--category', names.signs]],
  ['petstore pet list --category=se', ['pet', 'list', `--category=${names.signs}`]],
  ['petstore pet view ', ['pet', 'view', '1']],
];

for (const shell of ['bash', 'zsh', 'fish'] as const) {
  const reason = missing(shell);
  for (const [line, words] of lines) {
    test(`${shell}: ${line}<tab>`, async (context) => {
      if (reason !== undefined) {
        console.warn(`${shell}: ${reason}`);
        context.skip(reason);
      }
      expect(await typed(shell, line)).toEqual(words);
      expect(existsSync(trap)).toBe(false);
    });
  }
}

test('what is typed is never run by the tab key', async () => {
  expect(await typed('bash', `petstore pet list --search '$(touch ${trap})' --category D`)).toEqual([
    'pet',
    'list',
    '--search',
    `$(touch ${trap})`,
    '--category',
    'Dogs',
  ]);
  expect(existsSync(trap)).toBe(false);
});
