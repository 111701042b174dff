import type { Migration } from './migration.js';
import { shop } from './0001-shop.js';
import { tokens } from './0002-tokens.js';
import { errorPlaces } from './0003-error-places.js';
import { stockMarks } from './0004-stock-marks.js';
import { sendersAndGuards } from './0005-senders-and-guards.js';

/** Every step, oldest first. */
export const migrations: readonly Migration[] = [shop, tokens, errorPlaces, stockMarks, sendersAndGuards];

/** The version of the schema this program works with. */
export const schemaVersion = migrations.at(-1)?.version ?? 0;

/** The steps a shop at `version` still needs. */
export function pending(version: number): readonly Migration[] {
  return migrations.filter((migration) => migration.version > version);
}
