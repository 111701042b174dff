import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { environment, petstore, prepare, start } from '../support/program.js';
import { skipWith, missingTool } from '../support/optional-tools.js';
import { noTerminal } from '../support/terminal.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
const [store, home, bin] = [join(folder, 'shop.db'), join(folder, 'home'), join(folder, 'bin')];
/** The file that a name would create if a shell executed it. */
const executedFile = join(folder, 'trapped');
const names = { spaced: "a b'c", command: `$(touch ${executedFile})`, signs: 'se;mi "q" `x` !x *' } as const;

type ShellName = 'bash' | 'zsh' | 'fish';

/** How to start each shell with only the configuration of the test. */
const starting: Readonly<Record<ShellName, string>> = { bash: 'bash --noprofile -i', zsh: 'zsh -i', fish: 'fish' };

/** The shell configuration: a plain prompt without redrawing, and the line that the guide gives for completion. */
function configureHome(): void {
  mkdirSync(join(home, '.config', 'fish'), { recursive: true });
  writeFileSync(join(home, '.bashrc'), "PS1='$ '\nbind 'set enable-bracketed-paste off'\neval \"$(petstore completion bash)\"\n");
  writeFileSync(join(home, '.zshrc'), 'PS1=\'$ \'\nunsetopt prompt_cr prompt_sp\nautoload -Uz compinit && compinit -i\neval "$(petstore completion zsh)"\n');
  writeFileSync(
    join(home, '.config', 'fish', 'config.fish'),
    "set fish_greeting\nset fish_autosuggestion_enabled 0\nfunction fish_prompt; echo '$ '; end\npetstore completion fish | source\n",
  );
}

/**
 * Types lines into an interactive shell, each followed by Tab and Return; returns the words that the program was run with
 * for each. A shell reads keys one after the other, so Return is typed only when the words have arrived.
 */
async function typed(shell: ShellName, lines: readonly string[]): Promise<readonly (readonly string[])[]> {
  const out = join(folder, `${shell}-words`);
  const env = { ...environment(store), HOME: home, ZDOTDIR: home, XDG_CONFIG_HOME: join(home, '.config'), PATH: `${bin}:${process.env['PATH']}`, TOLD: out };
  const { child, ended } = start('script', ['-qec', `stty cols 300 rows 50; cd ${folder}; exec ${starting[shell]}`, '/dev/null'], env);
  let screen = '';
  child.stdout.on('data', (text: string) => (screen += text));
  const until = async (isThere: () => boolean): Promise<void> => {
    for (let tries = 0; !isThere(); tries += 1) {
      if (tries > 1000) throw new Error(`${shell} stands still: ${JSON.stringify(screen)}`);
      await sleep(20);
    }
  };
  const told: (readonly string[])[] = [];
  await until(() => screen.includes('$ '));
  for (const line of lines) {
    screen = '';
    child.stdin.write(`${line}\t\r`);
    await until(() => existsSync(out));
    told.push(readFileSync(out, 'utf8').split('\0').slice(0, -1));
    rmSync(out);
    // The next prompt is below the line; fish reads keys before it has drawn a prompt.
    await until(() => shell === 'fish' || screen.lastIndexOf('$ ') > screen.indexOf('\n'));
  }
  child.stdin.write('exit\r');
  child.stdin.end();
  await ended;
  return told;
}

beforeAll(async () => {
  await prepare(store, ['init'], ...['Dogs', 'Cats', ...Object.values(names)].map((name) => ['category', 'create', '--name', name]));
  await prepare(store, ['pet', 'create', '--name', 'Rex', '--category', 'Dogs']);
  mkdirSync(bin);
  // Runs the program for completion; for any other line it only records the words.
  const script = `#!/bin/sh
case $1 in
  complete | completion) exec "${process.execPath}" "${petstore}" "$@" ;;
  *) printf '%s\\0' "$@" > "$TOLD.new" && mv "$TOLD.new" "$TOLD" ;;
esac
`;
  writeFileSync(join(bin, 'petstore'), script);
  chmodSync(join(bin, 'petstore'), 0o755);
  configureHome();
});
/** Lines up to the tab key, and the resulting words. */
const lines: readonly (readonly [line: string, words: readonly string[]])[] = [
  ['petstore inv', ['inventory']],
  ['petstore pet list --fields id,na', ['pet', 'list', '--fields', 'id,name']],
  ['petstore --store shop.d', ['--store', 'shop.db']],
  ['petstore --store=shop.d', ['--store=shop.db']],
  ['petstore pet list --category D', ['pet', 'list', '--category', 'Dogs']],
  ['petstore pet list --category dO', ['pet', 'list', '--category', 'Dogs']],
  ['petstore pet list --category a', ['pet', 'list', '--category', names.spaced]],
  ['petstore pet list --category "a ', ['pet', 'list', '--category', names.spaced]],
  ["petstore pet list --category 'a ", ['pet', 'list', '--category', names.spaced]],
  ['petstore pet list --category \\$', ['pet', 'list', '--category', names.command]],
  ['petstore pet list --category se', ['pet', 'list', '--category', names.signs]],
  ['petstore pet list --category=se', ['pet', 'list', `--category=${names.signs}`]],
  [`petstore pet list --search '$(touch ${executedFile})' --category D`, ['pet', 'list', '--search', `$(touch ${executedFile})`, '--category', 'Dogs']],
];

test('bash cuts descriptions at the width of the terminal', (context) => {
  skipWith(missingTool('bash', 'bash', ['-c', 'true']), context);
  const script = fileURLToPath(new URL('../../data/completion/petstore.bash', import.meta.url));
  const answer = String.raw`petstore() { printf ':\nadjust\tadd units, or take some away\nset\tset the stock\n'; }`;
  const line = `${answer}; . '${script}'; COLUMNS=20 COMP_TYPE=63; _petstore; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const stdout = execFileSync('bash', ['-c', line], { encoding: 'utf8' });
  expect(stdout).toBe('adjust  add units, \nset     set the sto\n');
});

for (const shell of ['bash', 'zsh', 'fish'] as const) {
  const reason = noTerminal ?? missingTool(shell, shell, ['-c', 'true']);
  test(`${shell} completes as expected and executes nothing from the shop or the line`, async (context) => {
    skipWith(reason, context);
    const words = await typed(
      shell,
      lines.map(([line]) => line),
    );
    expect(lines.map(([line], index) => [line, words[index]])).toEqual(lines);
    expect(existsSync(executedFile)).toBe(false);
  });
}
