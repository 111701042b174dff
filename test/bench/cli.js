import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interleaved, isInstalled, median, petstore, printTable, shown, succeed, temporaryFolder } from './measure.js';
import { makeShop } from './shop.js';

const pets = 10_000;
const warmUps = 2;
const rounds = 21;

const timed = fileURLToPath(new URL('timed.js', import.meta.url));

const bare = { name: 'node -e 0', words: () => ['-e', '0'] };
const bareInTerminal = { ...bare, name: 'node -e 0, on a terminal', terminal: true };
const commands = [
  { name: 'pet list -L 30, piped', words: () => ['pet', 'list', '-L', '30'] },
  { name: 'pet list, piped, all', words: () => ['pet', 'list'] },
  { name: 'pet view', words: () => ['pet', 'view', '5000'] },
  { name: '--help', words: () => ['--help'] },
  // Each order is for another pet, because each has one unit.
  { name: 'order place', words: (round) => ['order', 'place', '--pet', String(round + 1)] },
  { name: 'pet list, on a terminal', words: () => ['pet', 'list'], terminal: true },
].map(({ name, words, terminal }) => ({
  name: `petstore ${name}`,
  words: (round) => [petstore, ...words(round)],
  terminal,
  against: terminal ? bareInTerminal : bare,
}));

/** Runs Node in a terminal of script(1), and returns the time of Node alone. */
async function inTerminal(words, options, folder) {
  const file = join(folder, 'ms');
  const line = [process.execPath, timed, file, process.execPath, ...words].map((word) => `'${word}'`).join(' ');
  await succeed('script', ['-qec', line, '/dev/null'], options);
  return Number(readFileSync(file, 'utf8'));
}

/** The environments to measure: reading NODE_EXTRA_CA_CERTS makes every start of Node slower. */
function environments() {
  const { NODE_EXTRA_CA_CERTS } = process.env;
  const withoutCertificates = { title: 'without NODE_EXTRA_CA_CERTS', env: {} };
  return NODE_EXTRA_CA_CERTS ? [{ title: 'with NODE_EXTRA_CA_CERTS', env: { NODE_EXTRA_CA_CERTS } }, withoutCertificates] : [withoutCertificates];
}

/** The wall time of commands. */
export async function benchCli() {
  const folder = temporaryFolder();
  for (const [index, { title, env }] of environments().entries()) {
    const store = join(folder, `shop-${index}.db`);
    await makeShop(store, pets);
    await benchIn(folder, title, { ...env, PETSTORE_STORE: store });
  }
}

async function benchIn(folder, title, env) {
  // Without a pager, which would wait for input.
  const options = { env: { ...env, TERM: 'xterm', PETSTORE_PAGER: '' } };
  const candidates = [bare, bareInTerminal, ...commands].filter(({ terminal }) => !terminal || isInstalled('script'));
  const results = await interleaved(candidates, warmUps + rounds, async ({ words, terminal }, round) =>
    terminal ? inTerminal(words(round), options, folder) : (await succeed(process.execPath, words(round), options)).ms,
  );
  const figure = (candidate, of) => of(results.get(candidate).slice(warmUps));
  const least = (figures) => Math.min(...figures);
  const ratio = (candidate, of) => `${shown(figure(candidate, of) / figure(candidate.against ?? candidate, of), 2)} ×`;
  printTable(
    `One command on a shop of ${shown(pets)} pets, ${rounds} interleaved rounds, ${title}`,
    ['command', 'median ms', 'min ms', 'ratio of medians', 'ratio of minima'],
    candidates.map((one) => [one.name, shown(figure(one, median), 1), shown(figure(one, least), 1), ratio(one, median), ratio(one, least)]),
  );
}
