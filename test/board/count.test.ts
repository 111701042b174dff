import { beforeAll, expect } from 'vitest';
import { testBrowser } from '../support/browser.js';
import { ensureBuilt } from '../support/program.js';
import { seededRandom } from '../support/seeded-random.js';
import { testListening } from '../support/server.js';
import { countOf, expectEntryFocus, linesOf, scannerAt } from './count-lines.js';

const { open } = testBrowser();

beforeAll(ensureBuilt);

testListening('forty lines a second from a scanner are all stored, in the order in which they came', async (served) => {
  const pets: number[] = [];
  for (let index = 0; index < 20; index += 1) pets.push(await served.pet({ name: `Fish ${index}`, quantity: 10 }));
  const count = await countOf(served);
  const page = await open(served.address, `/board/counts/${count}`);
  await expectEntryFocus(page);
  const random = seededRandom(7);
  const lines = Array.from({ length: 200 }, () => [pets[Math.floor(random() * pets.length)], Math.floor(random() * 100)] as const);
  const scan = await scannerAt(page);
  const scans: Promise<void>[] = [];
  const [begin, lineMs] = [Date.now(), 25];
  for (const [index, [pet, number]] of lines.entries()) {
    const due = begin + index * lineMs - Date.now();
    if (due > 0) await new Promise((resolve) => setTimeout(resolve, due));
    scans.push(scan(`${pet}\n${number}\n`));
  }
  await Promise.all(scans);
  await expect.poll(() => linesOf(served, count), { timeout: 20_000 }).toEqual(lines.map(([pet, number]) => `${pet}: ${number}`));
  await expectEntryFocus(page);
});
