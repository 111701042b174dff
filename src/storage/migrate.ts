import { shop } from './migrations/0001-shop.js';
import { tokens } from './migrations/0002-tokens.js';
import { errorPlaces } from './migrations/0003-error-places.js';
import { stockMarks } from './migrations/0004-stock-marks.js';
import { sendersAndGuards } from './migrations/0005-senders-and-guards.js';

/** One step of the schema; each statement on its own, in each engine's spelling. */
export interface Migration {
  readonly version: number;
  readonly sqlite: readonly string[];
  readonly postgres: readonly string[];
}

/** Every step, oldest first. */
export const migrations: readonly Migration[] = [shop, tokens, errorPlaces, stockMarks, sendersAndGuards];

/** The version of the schema this program works with. */
export const schemaVersion = migrations.at(-1)?.version ?? 0;

/** The steps a shop at `version` still needs. */
export function pending(version: number): readonly Migration[] {
  return migrations.filter((migration) => migration.version > version);
}
