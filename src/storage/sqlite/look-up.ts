import type { LookupMatch, LookupKind } from '../../domain/lookup.js';
import { schemaVersion } from '../migrations/migrations.js';
import { lookUp } from '../tables/look-up.js';
import { applicationId, connect, queriesOf } from './connection.js';
import { driverFor } from './driver.js';

/**
 * Looks up records for completion without side effects: creates no file, does not migrate, and does not wait for locks.
 * Returns an empty list when the schema is of another version.
 */
export async function lookUpIn(path: string, nativeBinding: string | undefined, noun: LookupKind, text: string): Promise<readonly LookupMatch[]> {
  const database = connect(await driverFor(nativeBinding), path, true);
  try {
    const [id, version] = ['application_id', 'user_version'].map((name) => Number(database.pragma(name, { simple: true })));
    if (id !== applicationId || version !== schemaVersion()) return [];
    return await lookUp(queriesOf(database), noun, text);
  } finally {
    database.close();
  }
}
