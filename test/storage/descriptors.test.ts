import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withTestShop } from '../support/stores.js';
import { file } from '../support/files.js';
import { expectRefusal } from '../support/expect-refusal.js';

const opened = '/proc/self/fd';

/** The open files of this process that have no directory entry: temporary files. */
function namelessFiles(): readonly string[] {
  const links = readdirSync(opened).flatMap((name) => {
    try {
      return readlinkSync(`${opened}/${name}`);
    } catch {
      // The descriptor of the listing itself, which is closed by now.
      return [];
    }
  });
  return links.filter((link) => link.endsWith(' (deleted)'));
}

const reason = existsSync(opened) ? '' : ` (left out: there is no ${opened} here to count them in)`;

test.skipIf(reason !== '')(`an import that fails while it reads leaves no file open${reason}`, () =>
  withTestShop(async ({ shop, pet }) => {
    await pet();
    const before = namelessFiles();
    const onRejected = async (): Promise<void> => undefined;
    const broken = ['petId,quantity\n1,"5', 'petId,quantiy\n1,5\n', '', Buffer.from([0x70, 0xff, 0xfe])];
    for (const content of broken) {
      await expect(shop.importStock(file(content, { format: 'csv' }), { mode: 'atomic', onRejected })).rejects.toMatchObject({ name: 'StoreError' });
      await expect(shop.importPets(file(content, { format: 'csv' }), { mode: 'atomic', onRejected })).rejects.toMatchObject({ name: 'StoreError' });
    }
    // More rows than are sorted in memory at a time, the last one truncated.
    const long = `petId,delta\n${'1,1\n'.repeat(270_000)}1,"`;
    await expectRefusal('malformed_csv', shop.importStock(file(long, { format: 'csv' }, 1 << 16), { mode: 'atomic' }));
    // Files opened before may be closed late.
    expect(namelessFiles().filter((link) => !before.includes(link))).toEqual([]);
  }),
);
