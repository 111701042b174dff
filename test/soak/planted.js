import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Faults that suites must notice: `from` stands once in `file`, and `to` takes its place. A suite is a file of this
 * folder, or of another one with its name in front; test/README.md names them too.
 */
export const plantedFaults = [
  {
    suite: 'power-cut',
    says: 'commits do not wait for the disk',
    file: 'src/storage/sqlite/connection.ts',
    from: 'PRAGMA synchronous = FULL; PRAGMA journal_size_limit',
    to: 'PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit',
  },
  {
    suite: 'faults',
    says: 'a failed read or write is no refusal but a crash',
    file: 'src/storage/sqlite/errors.ts',
    from: "if (code.startsWith('SQLITE_IOERR'))",
    to: "if (code.startsWith('SQLITE_NOTHING'))",
  },
  {
    suite: 'damage',
    says: 'damage is no refusal but a crash',
    file: 'src/storage/sqlite/errors.ts',
    from: "if (code.startsWith('SQLITE_CORRUPT'))",
    to: "if (code.startsWith('SQLITE_NOTHING'))",
  },
  {
    suite: 'hostile',
    says: 'a cell is shown as it is',
    file: 'src/cli/output/sanitise.ts',
    from: "return sanitise(text.replaceAll(/[\\t\\n\\r]/g, ' '));",
    to: 'return text;',
  },
  {
    suite: 'kill',
    says: 'changes that share a commit are acknowledged a moment before it',
    file: 'src/storage/grouped-writes.ts',
    from: 'if (attempts.some(({ kept }) => kept)) await port.commit(',
    to: `if (together.length > 1) {
      for (const { tell } of attempts) tell();
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    if (attempts.some(({ kept }) => kept)) await port.commit(`,
  },
  {
    suite: 'kill',
    says: 'what an import has staged in PostgreSQL is lost with the server',
    file: 'src/storage/postgres/staging.ts',
    from: 'const queries = queriesOf(() => client, false);',
    to: "const queries = queriesOf(() => client, false);\n  await client.query('SET synchronous_commit = off');",
  },
  {
    suite: 'model',
    says: 'an order is reserved what others were reserved already',
    file: 'src/domain/orders/reserve-units.ts',
    from: 'const free = available(stock) + own;',
    to: 'const free = stock.quantity + own;',
  },
  {
    suite: 'model',
    says: 'an import over HTTP forgets its key',
    file: 'src/http/server/import-routes.ts',
    from: 'key: requested.key,',
    to: 'key: undefined,',
  },
  {
    suite: 'concurrency',
    says: 'a change locks the shop only when it first writes',
    file: 'src/storage/sqlite/write-port.ts',
    from: 'sql`BEGIN IMMEDIATE`',
    to: 'sql`BEGIN`',
  },
  {
    suite: 'load',
    says: 'an import does not look again at what changed while it was read',
    file: 'src/storage/sqlite/bulk.ts',
    from: 'restage(database, moves, tally, newest);',
    to: '',
  },
  {
    suite: 'memory',
    says: 'all requests of a connection are served at once',
    file: 'src/http/server/connections.ts',
    from: 'if (connection.current === undefined && connection.writeLast === undefined) return begin',
    to: 'if (connection.writeLast === undefined) return begin',
  },
  {
    suite: 'ledger-rewrite',
    says: 'an entry whose id is not beyond all others is accepted',
    file: 'src/storage/migrations/0005-senders-and-guards.ts',
    from: 'return `NEW.id <> -1 AND NEW.id <= (SELECT id FROM ${table} ORDER BY id DESC LIMIT 1)`;',
    to: 'return `NEW.id <> -1 AND NEW.id < 0 AND EXISTS (SELECT 1 FROM ${table})`;',
  },
  {
    suite: 'keys',
    says: 'a key is shared by all senders',
    file: 'src/domain/keys.ts',
    from: 'return token === undefined ? `actor ${actor}` : `token ${token}`;',
    to: "return token === undefined ? `actor ${actor}` : 'token';",
  },
  {
    suite: 'keys',
    says: 'a request holds up every sender of its key',
    file: 'src/http/server/routes.ts',
    from: 'const ownKey = `${senderOf(request)}\\n${key}`;',
    to: 'const ownKey = `${senderOf(request).slice(0, 1)}${key}`;',
  },
  {
    suite: 'http/guards',
    says: 'a server answers to any host name',
    file: 'src/http/server/origins.ts',
    from: "throw new StoreError('misdirected_request'",
    to: "if (host === 'never') throw new StoreError('misdirected_request'",
  },
  {
    suite: 'storage/tokens',
    says: 'the secret of a token is kept as it is',
    file: 'src/storage/token-keeper.ts',
    from: "return createHash('sha256').update(secret).digest('hex');",
    to: "return Buffer.from(secret).toString('hex').padEnd(64, '0').slice(0, 64);",
  },
];

/** A copy of the project with a fault in it. */
function copyWith({ file, from, to }, root) {
  const copy = mkdtempSync(join(tmpdir(), 'petstore-planted-'));
  const names = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  for (const name of names) cpSync(join(root, name), join(copy, name));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const parts = readFileSync(join(copy, file), 'utf8').split(from);
  if (parts.length !== 2) throw new Error(`${file} holds ${parts.length - 1} times: ${from}`);
  writeFileSync(join(copy, file), parts.join(to));
  return copy;
}

/** Whether a suite fails with a fault in the program. */
function isSeen(fault, root) {
  const copy = copyWith(fault, root);
  try {
    const run = (...words) => spawnSync(process.execPath, words, { cwd: copy, stdio: 'ignore' }).status;
    if (run('.config/build.js') !== 0) throw new Error(`The project cannot be built with the fault of ${fault.suite}.`);
    return (
      run(
        'node_modules/vitest/vitest.mjs',
        'run',
        '--config',
        '.config/vitest.config.ts',
        `test/${fault.suite.includes('/') ? '' : 'soak/'}${fault.suite}.test.ts`,
      ) !== 0
    );
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Plants the faults of these suites, or of all, one after the other; answers 0 when each was seen. */
export async function seeTheFaults(root, suites) {
  let unseen = 0;
  for (const fault of plantedFaults.filter(({ suite }) => suites.length === 0 || suites.includes(suite))) {
    const seen = isSeen(fault, root);
    if (!seen) unseen += 1;
    process.stdout.write(`${fault.suite}: ${fault.says}: ${seen ? 'seen' : 'NOT SEEN'}\n`);
  }
  return unseen === 0 ? 0 : 1;
}
