import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { isFullSize } from '../support/seeded-random.js';
import { prepare, runProgram } from '../support/program.js';
import { ask, type Answer } from '../support/server.js';
import { peakMemory, startServer, type ServerProcess } from '../support/server-process.js';
import { rawRequest } from '../support/raw-connection.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();

const sizeFactor = isFullSize ? 12 : 0.3;
/** The heap limit of a command, in MB; a record for each row would need more. */
const heapMegabytes = 32;

/** A file whose rows an import could collect in memory. */
interface LongFile {
  readonly name: string;
  readonly rows: number;
  readonly header: string;
  readonly text: (index: number) => string;
  readonly words: readonly string[];
}

const stock = { header: 'petId,delta,note', words: ['inventory', 'import'] };
const rejects = (file: string): readonly string[] => [...stock.words, '--rejects', join(folder, file)];
const pets = { header: 'name,category,codes', words: ['pet', 'import', '--create-categories'] };

// Two codes each, and a file may have a million.
const petsWithCodes = isFullSize ? 40_000 : 200_000;

const files: readonly LongFile[] = [
  { ...stock, name: 'changes of one pet', rows: 300_000, text: () => '1,1,\n' },
  { ...stock, name: 'a note for each row', rows: 200_000, text: (index) => `${(index % 30) + 1},1,van number ${index} of the day\n` },
  { ...stock, name: 'rows of pets that are not there', rows: 100_000, text: (index) => `${index + 1000},1,\n`, words: rejects('unknown.csv') },
  { ...stock, name: 'refused rows that each name another pet', rows: 100_000, text: (index) => `${index + 1},x,\n`, words: rejects('faults.csv') },
  { ...stock, name: 'every second row refused', rows: 400_000, text: (index) => `1,${index % 2 === 0 ? '1' : 'x'},\n` },
  { ...pets, name: 'new pets with codes', rows: petsWithCodes, text: (index) => `Guppy ${index},Fish,ring-${index} tag-${index}\n` },
  { header: 'petId,code', words: ['code', 'import'], name: 'codes', rows: 2 * petsWithCodes, text: (index) => `${(index % 30) + 1},ring-${index}\n` },
  { ...pets, name: 'new pets with the same code', rows: petsWithCodes, text: (index) => `Guppy ${index},Fish,ring-${index} tag\n` },
];

// At the small size one of each kind of import, and one whose rows are refused.
for (const { name, rows: atOnce, header, text, words } of isFullSize ? files : [files[1], files[2], files[5], files[6]].filter((file) => file !== undefined)) {
  const rows = atOnce * sizeFactor;
  test(`an import needs the same memory for any number of rows: ${name}`, async () => {
    const store = join(folder, `${name}.db`);
    await prepare(store, ['init', '--sample']);
    const path = join(folder, 'rows.csv.gz');
    writeFileSync(path, gzipSync(`${header}\n${Array.from({ length: rows }, (_, index) => text(index)).join('')}`, { level: 1 }));
    const { exitCode, stdout, stderr } = await runProgram(store, [...words, path, '--json', '--keep-going'], '', {
      NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}`,
    });
    expect([stderr, [0, 5, 6].includes(exitCode ?? 1)]).toEqual(['', true]);
    expect(JSON.parse(stdout)).toMatchObject({ total: rows });
  }, 600_000);
}

const megabyte = 1024 * 1024;

// An idle server needs 65 MB, and each of the two import threads at most 144 MB of heap.
const serverBound = 400 * megabyte;

/** Opens an import and sends half of its content length. */
async function openUpload(port: number, sent: Buffer): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(rawRequest('POST /store/imports', ['Content-Type: text/csv', `Content-Length: ${sent.length * 2}`]));
  socket.write(sent);
  return socket;
}

function send(address: string, body: Uint8Array | string): Promise<Answer> {
  return ask(address, 'POST', '/store/imports', { headers: { 'content-type': 'text/csv' }, body: Buffer.from(body) });
}

async function servedShop(name: string): Promise<ServerProcess> {
  const store = join(folder, `${name}.db`);
  await prepare(store, ['init', '--sample']);
  return startServer(store);
}

// One less than the limit of a client.
const openUploads = 49;

test('open uploads need little memory and do not prevent other imports', async () => {
  const server = await servedShop('open');
  const sent = Buffer.concat([Buffer.from('petId,quantity\n2,5\n'), Buffer.alloc(megabyte, '1,1\n')]);
  const open: Socket[] = [];
  for (let index = 0; index < openUploads; index += 1) open.push(await openUpload(server.port, sent));
  const other = await send(server.address, 'petId,quantity\n2,6\n');
  expect([other.status, other.json()]).toMatchObject([200, { applied: 1 }]);
  expect(peakMemory(server)).toBeLessThan(serverBound);
});

test('many concurrent imports are finished or refused with 503, within the memory limit', async () => {
  const server = await servedShop('many');
  const many = isFullSize ? 2000 : 100;
  const answers = await Promise.all(
    Array.from({ length: many }, (_, index) => send(server.address, `petId,delta\n${'2,1\n'.repeat(30)}${'\n'.repeat(index)}`)),
  );
  const done = answers.filter(({ status }) => status === 200);
  expect(answers.filter(({ status, headers }) => status !== 200 && !(status === 503 && headers['retry-after'] === '1'))).toEqual([]);
  expect(done.length).toBeGreaterThan(0);
  const last = await send(server.address, 'petId,quantity\n2,6\n');
  expect(last.status).toBe(200);
  expect(peakMemory(server)).toBeLessThan(serverBound);
});

// Of a smaller file a reader with a lower limit is tested in test/formats/encodings.test.ts.
if (isFullSize) {
  test('a small file that decompresses to very many rows is refused within the memory limit, while other imports work', async () => {
    const server = await servedShop('packed');
    const block = Buffer.alloc(16 * megabyte, '1,1\n');
    const packedBlock = gzipSync(block, { level: 1 });
    const packed = Buffer.concat([gzipSync('petId,delta\n'), ...Array.from({ length: 17 }, () => packedBlock)]);
    const [refused, ...others] = await Promise.all([
      send(server.address, packed),
      ...[5, 6, 7].map((quantity) => send(server.address, `petId,quantity\n2,${quantity}\n`)),
    ]);
    expect([refused?.status, refused?.code]).toEqual([413, 'payload_too_large']);
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(peakMemory(server)).toBeLessThan(serverBound);
  }, 600_000);
}
