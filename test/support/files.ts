import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { ImportFile } from '../../src/domain/imports/import-file.js';
import type { ImportReport } from '../../src/domain/imports/import-report.js';
import type { RowError } from '../../src/domain/imports/row-error.js';

/** The option of an import that is refused as a whole. */
export const atomic = { mode: 'atomic' } as const;
/** The option of an import that leaves out the refused rows. */
export const keepGoing = { mode: 'keep-going' } as const;

/** A file to import, streamed in chunks that split rows and characters; of a large file a thousand. */
export function file(content: string | Uint8Array, facts: Partial<Omit<ImportFile, 'bytes'>> = {}, size?: number): ImportFile {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
  const piece = size ?? Math.max(7, Math.ceil(bytes.length / 1000));
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  };
  return { bytes: pieces(), map: new Map(), ...facts };
}

/** A CSV file of lines; the header is line 1. */
export function csv(...lines: readonly string[]): ImportFile {
  return file(`${lines.join('\n')}\n`);
}

/** The counts of a report as a short text. */
export function counts({ total, applied, unchanged, rejected, alreadyApplied }: ImportReport): string {
  return `${total} total, ${applied} applied, ${unchanged} unchanged, ${rejected} rejected, ${alreadyApplied} already applied`;
}

/** The errors by line: "3 unknown_pet". */
export function faults({ errors }: { readonly errors: readonly RowError[] }): readonly string[] {
  return errors.map(({ line, code }) => `${line} ${code}`);
}

/** A folder for the tests of a file, which is removed after them. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
