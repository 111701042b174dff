import { maximumMatches, idRanges, type LookupMatch, type LookupKind } from '../../domain/lookup.js';
import { sessionIdLength } from '../../domain/sessions/session-keeper.js';
import { recordName } from '../../domain/values/record-name.js';
import { fold } from '../../domain/values/text.js';
import type { Queries } from '../queries.js';
import { raw, sql, type Sql } from '../sql.js';

/** The highest code point, to end a range of names. */
const highestCharacter = '\u{10ffff}';

type Within = (from: number, to: number) => Sql;

/** Orders that match a condition; a state is found by its index. */
function orders(condition: Sql): Within {
  const state = sql`CASE WHEN o.state = 'open' AND o.pet_id IS NULL THEN 'draft' ELSE o.state END`;
  return (
    from,
    to,
  ) => sql`SELECT o.id, ${state} || coalesce(', ' || o.quantity || ${' × '} || p.name, '') AS name FROM orders o LEFT JOIN pets p ON p.id = o.pet_id
    WHERE o.id BETWEEN ${from} AND ${to} AND o.state <> 'cancelled' AND ${condition} ORDER BY o.id DESC LIMIT ${maximumMatches}`;
}

function batches(condition: Sql): Within {
  return (from, to) => sql`SELECT id, state || ', ' || applied || CASE applied WHEN 1 THEN ' row' ELSE ' rows' END || ', by ' || actor AS name FROM batches
    WHERE id BETWEEN ${from} AND ${to} AND ${condition} ORDER BY id DESC LIMIT ${maximumMatches}`;
}

/** Live records in a range of ids, from an index alone; newest orders and batches first. */
const byId: Readonly<Record<Exclude<LookupKind, 'code' | 'token' | 'session'>, Within>> = {
  pet: (from, to) => sql`SELECT s.pet_id AS id, p.name FROM stock s CROSS JOIN pets p
    WHERE s.pet_id BETWEEN ${from} AND ${to} AND p.id = s.pet_id ORDER BY s.pet_id LIMIT ${maximumMatches}`,
  category: (from, to) => sql`SELECT id, name FROM categories WHERE id BETWEEN ${from} AND ${to} AND archived = 0 ORDER BY id LIMIT ${maximumMatches}`,
  order: orders(sql`1 = 1`),
  openOrder: orders(sql`o.state = 'open'`),
  reservedOrder: orders(sql`o.state = 'open' AND o.pet_id IS NOT NULL`),
  completeOrder: orders(sql`o.state = 'complete'`),
  batch: batches(sql`1 = 1`),
  count: (
    from,
    to,
  ) => sql`SELECT id, counted || ' of ' || pets || CASE pets WHEN 1 THEN ' pet' ELSE ' pets' END || ' counted, by ' || started_by AS name FROM counts
    WHERE id BETWEEN ${from} AND ${to} AND state = 'open' ORDER BY id DESC LIMIT ${maximumMatches}`,
  hook: (from, to) => sql`SELECT id, state || ', ' || url AS name FROM hooks WHERE id BETWEEN ${from} AND ${to} ORDER BY id LIMIT ${maximumMatches}`,
  undoableBatch: batches(sql`kind IN ('stock', 'codes') AND state IN ('applied', 'partial')`),
};

function tokensNamed(start: string): Sql {
  return sql`SELECT id, name FROM tokens WHERE name >= ${start} AND name < ${`${start}${highestCharacter}`} AND revoked_at IS NULL ORDER BY name LIMIT ${maximumMatches}`;
}

function sessionsWithId(start: string): Sql {
  return sql`SELECT substr(s.digest, 1, ${sessionIdLength}) AS id, coalesce(s.owner, t.name) AS name FROM sessions s LEFT JOIN tokens t ON t.id = s.token_id
    WHERE s.digest >= ${start} AND s.digest < ${`${start}${highestCharacter}`} AND t.revoked_at IS NULL ORDER BY s.digest LIMIT ${maximumMatches}`;
}

/** Pets or categories whose name starts with a text, ignoring case and accents. */
function named(table: 'categories' | 'pets', text: string): Sql {
  const start = fold(text);
  return sql`SELECT id, name FROM ${raw(table)} WHERE folded >= ${start} AND folded < ${`${start}${highestCharacter}`} AND archived = 0
    ORDER BY folded, id LIMIT ${maximumMatches}`;
}

/** The zeros before a GTIN of 14, 13, 12 and 8 digits in its key; see `codeKey`. */
const paddings = ['', '0', '00', '000000'];

/** Codes that start with a text, ignoring case. */
async function codesStarting(queries: Queries, text: string): Promise<readonly LookupMatch[]> {
  const typed = text.toLowerCase();
  const found: LookupMatch[] = [];
  for (const start of /^[0-9]+$/.test(typed) ? paddings.map((zeros) => `${zeros}${typed}`) : [typed]) {
    const rows = await queries.all<LookupMatch & { readonly code: string }>(sql`SELECT p.id, p.name, k.code FROM codes k JOIN pets p ON p.id = k.pet_id
      WHERE k.key >= ${start} AND k.key < ${`${start}${highestCharacter}`} ORDER BY k.key LIMIT ${maximumMatches}`);
    found.push(...rows.filter(({ code }) => code.toLowerCase().startsWith(typed) && found.every((one) => one.code !== code)));
  }
  return found.slice(0, maximumMatches);
}

/**
 * Records for completion: by the start of the id or, for pets, categories and tokens, of the name. Tokens are always found by
 * name, categories unless the text is digits, pets unless it is digits or empty. Codes of pets follow the pets.
 */
export async function lookUp(queries: Queries, noun: LookupKind, text: string): Promise<readonly LookupMatch[]> {
  const found = await lookUpRecords(queries, noun, text);
  return noun !== 'pet' || text === '' || found.length === maximumMatches
    ? found
    : [...found, ...(await codesStarting(queries, text))].slice(0, maximumMatches);
}

async function lookUpRecords(queries: Queries, noun: LookupKind, text: string): Promise<readonly LookupMatch[]> {
  if (noun === 'token') return queries.all<LookupMatch>(tokensNamed(text));
  if (noun === 'session') return queries.all<LookupMatch>(sessionsWithId(text));
  const name = recordName(text);
  if (noun === 'category' && name !== undefined) return queries.all<LookupMatch>(named('categories', name));
  if (noun === 'code') return codesStarting(queries, text);
  if (noun === 'pet' && name !== undefined && text !== '') return queries.all<LookupMatch>(named('pets', name));
  const found: LookupMatch[] = [];
  for (const [from, to] of idRanges(text)) {
    if (found.length < maximumMatches) found.push(...(await queries.all<LookupMatch>(byId[noun](from, to))));
  }
  return found.slice(0, maximumMatches);
}
