// `npm run bench -- cli`, `bulk [--rows N]`, `http [--quick]`, `engines [--quick]`, `growth [--quick] [--all] [--only TEXT]`, `writers [--quick]` and `board` print measurements as tables and assert nothing.
// On a busy machine only the ratios are meaningful, not the times.
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { benchBoard } from './board.js';
import { benchBulk } from './bulk.js';
import { benchCli } from './cli.js';
import { benchEngines } from './engines.js';
import { benchGrowth } from './growth.js';
import { benchHttp } from './http.js';
import { benchWriters } from './writers.js';

const usage =
  'Usage: npm run bench -- cli | bulk [--rows N] | http [--quick] | engines [--quick] | growth [--quick] [--all] [--only TEXT] [--stores SMALL,LARGE] | writers [--quick] | board\n';

/** The parsed command line, or undefined when it is invalid. */
function parsedArguments() {
  try {
    const options = {
      rows: { type: 'string', default: '1000000' },
      quick: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      stores: { type: 'string' },
      only: { type: 'string' },
    };
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const rows = Number(values.rows);
    return positionals.length === 1 && Number.isInteger(rows) && rows >= 10 ? { ...values, topic: positionals[0], rows } : undefined;
  } catch {
    return undefined;
  }
}

const load = () => `${loadavg()[0].toFixed(1)} on ${availableParallelism()} cores`;

const { topic, rows, quick, all, stores, only } = parsedArguments() ?? {};
const started = load();
if (topic === 'cli') await benchCli();
else if (topic === 'bulk') await benchBulk(rows);
else if (topic === 'http') await benchHttp({ quick });
else if (topic === 'growth') await benchGrowth({ quick, all, only, stores });
else if (topic === 'writers') await benchWriters({ quick });
else if (topic === 'board') await benchBoard();
else if (topic === 'engines') await benchEngines({ quick });
else {
  process.stderr.write(usage);
  process.exitCode = 2;
}
if (process.exitCode === undefined) process.stdout.write(`\nLoad at the start: ${started}, at the end: ${load()}.\n`);
