// `npm run bench -- NAME` prints measurements as tables and asserts nothing. On a busy machine only the ratios are meaningful, not the times.
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { benchBoard } from './board.js';
import { benchBulk } from './bulk.js';
import { benchCli } from './cli.js';
import { benchEngines } from './engines.js';
import { benchGrowth } from './growth.js';
import { benchHttp } from './http.js';
import { benchWriters } from './writers.js';

const benches = { cli: benchCli, bulk: benchBulk, http: benchHttp, engines: benchEngines, growth: benchGrowth, writers: benchWriters, board: benchBoard };
const usage =
  'Usage: npm run bench -- cli | board | bulk [--rows N] | http [--quick] | engines [--quick] | growth [--quick] [--all] [--only TEXT] | writers [--quick]\n';

/** The parsed command line; undefined when it is invalid. */
function parsedArguments() {
  const options = {
    rows: { type: 'string', default: '1000000' },
    quick: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  };
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const rows = Number(values.rows);
    return positionals.length === 1 && Number.isInteger(rows) && rows >= 10 ? { ...values, bench: benches[positionals[0]], rows } : undefined;
  } catch {
    return undefined;
  }
}

const load = () => `${loadavg()[0].toFixed(1)} on ${availableParallelism()} cores`;

const { bench, ...choice } = parsedArguments() ?? {};
if (bench === undefined) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  const started = load();
  await bench(choice);
  process.stdout.write(`\nLoad at the start: ${started}, at the end: ${load()}.\n`);
}
