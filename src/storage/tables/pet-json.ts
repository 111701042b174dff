import { type Pet, pet, petFields } from '../../domain/pets/pet.js';
import type { PetFilter } from '../../domain/pets/pet-filter.js';
import type { PetSort } from '../../domain/pets/pet-table.js';
import { isOptional } from '../../domain/values/fields.js';
import type { Slice } from '../../domain/values/pages.js';
import type { Queries } from '../queries.js';
import { builtOnce, sql, type Sql } from '../sql.js';
import { fieldsIn } from './columns.js';
import { statusText } from './fragments.js';
import { listedPet } from './pet-columns.js';
import { listQuery, sliceQuery } from './pet-query.js';

/** The fields of a listed pet in the subquery that the record is computed from. */
const listed = fieldsIn('listed', listedPet);

/** The fields of the record in the contract, and others. */
const fields: Readonly<Record<keyof Pet, Sql>> = { ...listed, status: statusText(listed) };

const hasOptionalFields = Object.values(petFields).some(isOptional);

type JsonRecord = NonNullable<Queries['jsonRecord']>;

/** The records of the rows of a query, in its order. */
function recordsOf(jsonRecord: JsonRecord, rows: Sql): Sql {
  // In the order of the contract.
  const ordered = Object.fromEntries(Object.keys(pet.entries).map((name) => [name, fields[name as keyof Pet]]));
  // As in pet-lines.ts, the records have the order of the subquery.
  return sql`SELECT string_agg(${jsonRecord(ordered, hasOptionalFields)}, ${'\n'}) AS records FROM (${rows}) AS listed`;
}

type Select = (key: string | number, id: number, limit: number) => Sql;

/** The statements of the most frequent lists, those without a filter, by their order and whether they start after a position. */
const unfiltered = new Map<string, Select>();

function selectUnfiltered(jsonRecord: JsonRecord, { sort, descending, from, limit }: Slice<PetSort>): Sql {
  const name = `${sort} ${descending} ${from === undefined}`;
  const build: Select = (key, id, bound) => recordsOf(jsonRecord, listQuery({}, { sort, descending, from: from && { key, id }, limit: bound }));
  const select = unfiltered.get(name) ?? builtOnce(build);
  unfiltered.set(name, select);
  return select(from?.key ?? 0, from?.id ?? 0, limit);
}

/**
 * A slice of the pets that match a filter as JSON records, which the database writes into one text: this takes half the
 * time of fetching the fields of each row and writing the records. A test compares the text with that of the records.
 */
export async function petsAsJson(queries: Queries, jsonRecord: JsonRecord, filter: PetFilter, slice: Slice<PetSort>): Promise<readonly string[]> {
  const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== false);
  const select = isFiltered ? recordsOf(jsonRecord, await sliceQuery(queries, filter, slice)) : selectUnfiltered(jsonRecord, slice);
  const found = await queries.get<{ readonly records: string | null }>(select);
  // JSON has no line breaks inside a record: those of its texts are escaped.
  return found?.records?.split('\n') ?? [];
}
