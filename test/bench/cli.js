import { join } from 'node:path';
import { interleaved, median, petstore, printTable, shown, succeed, temporaryFolder } from './measure.js';
import { makeShop } from './shop.js';

const pets = 10_000;
const warmUps = 2;
const rounds = 21;

const contestants = [
  { name: 'node -e 0', args: () => ['-e', '0'] },
  ...[
    { name: 'pet list, on a terminal', words: () => ['pet', 'list'], env: { PETSTORE_FORCE_TTY: '80' } },
    { name: 'pet list -L 30, piped', words: () => ['pet', 'list', '-L', '30'] },
    { name: 'pet list, piped, all', words: () => ['pet', 'list'] },
    { name: 'pet view', words: () => ['pet', 'view', '5000'] },
    { name: '--help', words: () => ['--help'] },
    // Each takes a pet of its own, because one of each is there.
    { name: 'order place', words: (round) => ['order', 'place', '--pet', String(round + 1)] },
  ].map(({ name, words, env }) => ({ name: `petstore ${name}`, args: (round) => [petstore, ...words(round)], env })),
];

/** How long a command takes from start to end. */
export async function benchCli() {
  const store = join(temporaryFolder(), 'shop.db');
  await makeShop(store, pets);
  const results = await interleaved(contestants, warmUps + rounds, async ({ args, env }, round) => {
    const { ms } = await succeed(process.execPath, args(round), { env: { PETSTORE_STORE: store, ...env } });
    return ms;
  });
  const times = new Map([...results].map(([contestant, figures]) => [contestant, figures.slice(warmUps)]));
  const bare = median(times.get(contestants[0]));
  const rows = [...times].map(([{ name }, figures]) => [
    name,
    shown(median(figures), 1),
    shown(Math.min(...figures), 1),
    `${shown(median(figures) / bare, 2)} ×`,
    `${shown(Math.min(...figures) / Math.min(...times.get(contestants[0])), 2)} ×`,
  ]);
  printTable(
    `One command on a shop of ${shown(pets)} pets, ${rounds} interleaved rounds`,
    ['command', 'median ms', 'min ms', 'ratio of medians', 'ratio of minima'],
    rows,
  );
}
