// Runs the commands that README.md shows, and compares exit codes and outputs with what it shows.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../places.js';

/** The commands in the console blocks of a document, with what they print. */
export function shownCommands(text) {
  const blocks = [...text.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((shown) => {
        const [first, ...output] = shown.trimEnd().split('\n');
        const [, line, code = '0'] = /^(.*?)(?: +# exit (\d+))?$/.exec(first);
        return { line, exitCode: Number(code), output: output.join('\n') };
      }),
  );
}

/** Without times and sizes, which differ between runs, and without widths that depend on them. */
const stable = (text) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d|\b(today|[A-Z][a-z]{2} \d\d) \d\d:\d\d\b/g, '<time>')
    .replaceAll(/[\d,]+(?= bytes)/g, '<size>')
    .replaceAll(/\s+/g, ' ')
    .trim();

const mark = '\u001E';

/** Bash that runs the commands one after the other and prints a mark, the exit code and the output of each. */
function scriptOf(commands) {
  const parts = commands.map(({ line }) => {
    const width = line.includes('|') ? 'unset PETSTORE_FORCE_TTY' : 'export PETSTORE_FORCE_TTY=100';
    const untilReady = line.endsWith('&') ? 'for i in $(seq 100); do curl -sf http://127.0.0.1:8080/livez >/dev/null && break; sleep 0.1; done\n' : '';
    return `${width}\nprintf '${mark}'\n${line}\ncode=$?\n${untilReady}printf '${mark}%d' $code`;
  });
  return `exec 2>&1\nexport NO_COLOR=1 TZ=UTC LANG=C.UTF-8\necho silent > .curlrc\n${parts.join('\n')}`;
}

/** Runs the tour in a clean root where petstore is installed below `prefix`; refuses with the commands that do something else. */
export function checkTour(inRoot, folder, prefix) {
  inRoot(`useradd --create-home ana && cp -R ${prefix}/lib/petstore/data /home/ana/data && chown -R ana: /home/ana`);
  const commands = shownCommands(readFileSync(join(root, 'README.md'), 'utf8'));
  writeFileSync(join(folder, 'home/ana/tour.sh'), scriptOf(commands));
  const printed = inRoot('su - ana -c "exec bash ./tour.sh"', { allowFailure: true }).split(mark).slice(1);
  const differences = commands.flatMap(({ line, exitCode, output }, index) => {
    const ran = { output: printed[index * 2] ?? '', exitCode: Number.parseInt(printed[index * 2 + 1] ?? '-1', 10) };
    const same = ran.exitCode === exitCode && (output === '' || stable(ran.output) === stable(output));
    return same ? [] : [`$ ${line}\n${ran.output}(exit code ${ran.exitCode})`];
  });
  if (differences.length > 0) throw new Error(`README.md shows something else than these commands do:\n${differences.join('\n')}`);
  return commands.length;
}
