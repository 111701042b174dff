import { codeKey, type Code } from '../../domain/codes/code.js';
import type { CodeFilter, CodeWriter } from '../../domain/codes/code-table.js';
import type { Queries } from '../queries.js';
import { all, list, sql, queryFor, type Sql } from '../sql.js';
import { insertInto, selection, type Columns } from './columns.js';
import { countRows, sliceOf } from './slices.js';

const columns: Columns<Code> = { code: sql`k.code`, petId: sql`k.pet_id`, units: sql`k.units` };
const select = sql`SELECT ${selection(columns)} FROM codes k`;
const ofPet = queryFor((petId) => sql`${select} WHERE k.pet_id = ${petId} ORDER BY k.key`);

function matching({ petId, code }: CodeFilter): Sql {
  return all([petId && sql`k.pet_id IN ${list(petId)}`, code !== undefined && sql`k.key = ${codeKey(code)}`]);
}

/** The codes with these keys, by key. */
export async function codesByKey(queries: Queries, keys: readonly string[]): Promise<ReadonlyMap<string, Code>> {
  const found = await queries.all<Code>(sql`${select} WHERE k.key IN ${list(keys)}`);
  return new Map(found.map((code) => [codeKey(code.code), code]));
}

/** The codes of one transaction. */
export function codeTable(queries: Queries): CodeWriter {
  return {
    equalTo: async (texts) => [...(await codesByKey(queries, texts.map(codeKey))).values()],
    ofPet: (petId) => queries.all<Code>(ofPet(petId)),
    list: (filter, slice) => queries.all<Code>(sliceOf(select, [matching(filter)], slice, sql`k.pet_id`, sql`k.key`)),
    count: (filter, bound) => countRows(queries, sql`codes k`, matching(filter), bound),
    insert: ({ code, petId, units }) => queries.run(insertInto('codes', [{ key: codeKey(code), code, pet_id: petId, units }])),
    remove: ({ code }) => queries.run(sql`DELETE FROM codes WHERE key = ${codeKey(code)}`),
  };
}
