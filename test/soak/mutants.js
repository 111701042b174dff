import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Source changes that a suite must detect: `from`, which must occur once in `file`, is replaced by `to`. A suite is a test
 * file of this folder, or of another folder with that folder's name in front.
 */
export const mutants = [
  {
    suite: 'power-cut',
    description: 'commits do not wait for the disk',
    file: 'src/storage/sqlite/connection.ts',
    from: 'PRAGMA synchronous = FULL; PRAGMA journal_size_limit',
    to: 'PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit',
  },
  {
    suite: 'faults',
    description: 'a failed read or write is reported as an internal error',
    file: 'src/storage/sqlite/errors.ts',
    from: "if (code.startsWith('SQLITE_IOERR'))",
    to: "if (code.startsWith('SQLITE_NOTHING'))",
  },
  {
    suite: 'damage',
    description: 'a damaged file is reported as an internal error',
    file: 'src/storage/sqlite/errors.ts',
    from: "if (code.startsWith('SQLITE_CORRUPT'))",
    to: "if (code.startsWith('SQLITE_NOTHING'))",
  },
  {
    suite: 'hostile',
    description: 'a table cell is printed without sanitising it',
    file: 'src/cli/output/sanitise.ts',
    from: "return sanitise(text.replaceAll(/[\\t\\n\\r]/g, ' '));",
    to: 'return text;',
  },
  {
    suite: 'kill',
    description: 'grouped changes are acknowledged before their commit',
    file: 'src/storage/writes/grouped-writes.ts',
    from: 'await port.commit(firstDeadlineMs(',
    to: `if (group.length > 1) {
      for (const { settle } of attempts) settle();
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    await port.commit(firstDeadlineMs(`,
  },
  {
    suite: 'failover',
    description: 'only the first host of an address is tried',
    file: 'src/storage/postgres/pool.ts',
    from: 'index = (index + 1) % targets.length;',
    to: 'index = 0;',
  },
  {
    suite: 'model',
    description: 'an order reserves units that other orders have reserved',
    file: 'src/domain/orders/reserve-units.ts',
    from: 'if (quantity > unreserved(stock) + alreadyReserved) throw',
    to: 'if (quantity > stock.quantity + alreadyReserved) throw',
  },
  {
    suite: 'model',
    description: 'a change of the stock does not name its pet',
    file: 'src/domain/inventory/set-inventory.ts',
    from: 'records: ({ petId }) => [`pet ${petId}`],',
    to: 'records: () => [],',
  },
  {
    suite: 'model',
    description: 'an import over HTTP ignores its idempotency key',
    file: 'src/http/server/import-routes.ts',
    from: 'key: requested.key,',
    to: 'key: undefined,',
  },
  {
    suite: 'model',
    description: 'an undone line of a count still counts',
    file: 'src/domain/counts/count-rules.ts',
    from: 'if (line.undone) return before;',
    to: 'if (line.undone && line.adds) return before;',
  },
  {
    suite: 'domain/count-rules',
    description: 'a pet that is counted again is compared with what was on hand at its first line',
    file: 'src/domain/counts/count-rules.ts',
    from: 'expected: line.onHand,',
    to: 'expected: (before as Tally | undefined)?.expected ?? line.onHand,',
  },
  {
    suite: 'operations/counts',
    description: 'closing a count sets what was counted, whatever was sold since',
    file: 'src/storage/tables/count-closing.ts',
    from: 'UPDATE stock SET quantity = stock.quantity + t.counted - t.expected FROM',
    to: 'UPDATE stock SET quantity = t.counted FROM',
  },
  {
    suite: 'kill',
    description: 'closing a count takes two transactions',
    file: 'src/storage/tables/count-closing.ts',
    from: 'await queries.run(sql`UPDATE stock SET quantity = stock.quantity',
    to: `await queries.run(sql\`COMMIT\`);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await queries.run(sql\`BEGIN\`);
      await queries.run(sql\`UPDATE stock SET quantity = stock.quantity`,
  },
  {
    suite: 'storage/engine',
    description: 'a write transaction takes the lock at its first write',
    file: 'src/storage/sqlite/write-port.ts',
    from: 'sql`BEGIN IMMEDIATE`',
    to: 'sql`BEGIN`',
  },
  {
    suite: 'load',
    description: 'an import does not recheck rows that changed while the file was read',
    file: 'src/storage/bulk/bulk-stock.ts',
    from: 'if (staged?.change !== change || staged.newest !== newest) {',
    to: 'if (staged?.change !== change) {',
  },
  {
    suite: 'memory',
    description: 'all pipelined requests of a connection are served at the same time',
    file: 'src/http/server/connections.ts',
    from: 'if (isIdle && isProbe(request)) return begin',
    to: 'if (request.complete || isProbe(request)) return begin',
  },
  {
    suite: 'ledger-rewrite',
    description: 'a ledger entry with an id below the highest is accepted',
    file: 'src/storage/migrations/0001-shop-triggers.ts',
    from: 'return `NEW.id <> -1 AND NEW.id <= (SELECT id FROM ${table} ORDER BY id DESC LIMIT 1)`;',
    to: 'return `NEW.id <> -1 AND NEW.id < 0 AND EXISTS (SELECT 1 FROM ${table})`;',
  },
  {
    suite: 'http/keys',
    description: 'senders share idempotency keys',
    file: 'src/domain/sender.ts',
    from: 'return tokenId === undefined ? `actor ${actor}` : `token ${tokenId}`;',
    to: "return tokenId === undefined ? `actor ${actor}` : 'token';",
  },
  {
    suite: 'http/keys',
    description: 'a request blocks other senders that use the same key',
    file: 'src/http/server/exclusive-runner.ts',
    from: 'const ownKey = `${senderId({ actor, tokenId: token?.id })}\\n${key}`;',
    to: 'const ownKey = `${senderId({ actor, tokenId: token?.id }).slice(0, 1)}${key}`;',
  },
  {
    suite: 'http/guards',
    description: 'a server accepts any Host header',
    file: 'src/http/server/origins.ts',
    from: "throw new StoreError('misdirected_request'",
    to: "if (host === 'never') throw new StoreError('misdirected_request'",
  },
  {
    suite: 'storage/tokens',
    description: 'the secret of a token is stored unhashed',
    file: 'src/storage/secrets.ts',
    from: "return crypto().createHash('sha256').update(text).digest('hex');",
    to: "return Buffer.from(text).toString('hex').padEnd(64, '0').slice(0, 64);",
  },
];

/** Copies the project and applies one mutant; returns the folder. */
function mutatedCopy({ file, from, to }, root) {
  const copy = mkdtempSync(join(tmpdir(), 'petstore-mutant-'));
  const names = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  for (const name of names) cpSync(join(root, name), join(copy, name));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const parts = readFileSync(join(copy, file), 'utf8').split(from);
  if (parts.length !== 2) throw new Error(`${file} must contain this once, found ${parts.length - 1} times: ${from}`);
  writeFileSync(join(copy, file), parts.join(to));
  return copy;
}

/** Whether the suite of a mutant fails when the mutant is applied. */
function isDetected(mutant, root) {
  const copy = mutatedCopy(mutant, root);
  try {
    const env = { ...process.env, PETSTORE_TEST_SIZE: 'small' };
    const run = (...words) => spawnSync(process.execPath, words, { cwd: copy, env, stdio: 'ignore' }).status;
    if (run('.config/build.js') !== 0) throw new Error(`The project does not build with the mutant "${mutant.description}".`);
    const file = `test/${mutant.suite.includes('/') ? '' : 'soak/'}${mutant.suite}.test.ts`;
    return run('node_modules/vitest/vitest.mjs', 'run', '--config', '.config/vitest.config.ts', file) !== 0;
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Applies the mutants of these suites, or all of them, one after the other; returns 0 when every suite detected its mutants. */
export async function testMutants(root, suites) {
  let survivors = 0;
  for (const mutant of mutants.filter(({ suite }) => suites.length === 0 || suites.includes(suite))) {
    const detected = isDetected(mutant, root);
    if (!detected) survivors += 1;
    process.stdout.write(`${mutant.suite}: ${mutant.description}: ${detected ? 'detected' : 'NOT DETECTED'}\n`);
  }
  return survivors === 0 ? 0 : 1;
}
