import type { Setting, SettingWriter, ShopFields } from '../../domain/shop-settings.js';
import type { Queries } from '../queries.js';
import { raw, sql, type Sql } from '../sql.js';

/** The name of each setting in the table `settings`, and the type that its text is read as. */
const stored = { shopName: { name: 'shop-name', type: 'TEXT' }, lowAt: { name: 'low-at', type: 'BIGINT' } } as const satisfies Record<
  keyof ShopFields,
  { readonly name: string; readonly type: string }
>;

/** The expression for the value of a setting, which is NULL without one. It has no parameters. */
export function settingValue(setting: keyof ShopFields): Sql {
  const { name, type } = stored[setting];
  return sql`(SELECT CAST(value AS ${raw(type)}) FROM settings WHERE name = ${raw(`'${name}'`)})`;
}

/** The settings of the shop in one transaction. */
export function settingTable(queries: Queries): SettingWriter {
  return {
    get: async <Name extends keyof ShopFields>(setting: Name) => {
      const found = await queries.get<{ readonly value: Setting<Name> }>(sql`SELECT ${settingValue(setting)} AS value`);
      return found?.value ?? null;
    },
    set: async (setting, value) => {
      const { name } = stored[setting];
      const write = sql`INSERT INTO settings (name, value) VALUES (${name}, ${String(value)}) ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
      await queries.run(value === null ? sql`DELETE FROM settings WHERE name = ${name}` : write);
    },
  };
}
