import Database from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkpointer } from '../../src/storage/sqlite/checkpoints.js';
import { inDirectory } from '../support/stores.js';

/** A process that keeps a read transaction open for a while. */
const reader = `
const database = new (require('better-sqlite3'))(process.argv[1], { readonly: true });
database.exec('BEGIN; SELECT count(*) FROM things');
process.stdout.write('reading');
setTimeout(() => database.exec('COMMIT'), 400);`;

test('an oversized WAL is reset after a long read has ended', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'shop.db');
    const database = new Database(path);
    database.pragma('journal_mode = WAL');
    database.pragma('wal_autocheckpoint = 0');
    database.exec('CREATE TABLE things (content TEXT)');
    const write = (): unknown => database.prepare('INSERT INTO things VALUES (?)').run('x'.repeat(3000));
    const framesInLog = (): number => (database.pragma('wal_checkpoint(PASSIVE)') as readonly { readonly log: number }[])[0]?.log ?? 0;
    for (let count = 0; count < 100; count += 1) write();
    const env = { PATH: process.env['PATH'], NODE_PATH: join(process.cwd(), 'node_modules') };
    const child = spawn(process.execPath, ['-e', reader, path], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    const { run, close } = await checkpointer(path, undefined, 4096);
    run();
    write();
    expect(framesInLog()).toBeLessThan(10);
    close();
    database.close();
    if (child.exitCode === null) await once(child, 'exit');
  });
});
