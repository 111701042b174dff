import type { JSX } from 'preact';
import type { NamedEntry } from '../../state/server/ledger.js';
import { countText, inertText, numberText } from '../text.js';
import { instantText } from '../time.js';

type Former = NonNullable<NamedEntry['previous']>;

/** The text of each former value; null is the value of a field that had none. */
const texts: { readonly [Name in keyof Former]-?: (value: NonNullable<Former[Name]>) => string } = {
  name: (value) => `name ${inertText(value)}`,
  description: (value) => `description ${inertText(value)}`,
  categoryId: (value) => `category ${value}`,
  lowAt: (value) => `low at ${numberText(value)}`,
  petId: (value) => `pet ${value}`,
  quantity: (value) => countText(value, 'unit'),
  returned: (value) => `${countText(value, 'unit')} returned`,
  code: (value) => `code ${inertText(value)}`,
  units: (value) => `${countText(value, 'unit')} a scan`,
  shipDate: (value) => `ships ${instantText(Date.parse(value))}`,
};

const noneTexts: { readonly [Name in keyof Former]?: string } = {
  description: 'no description',
  lowAt: 'no level of its own',
  petId: 'no pet',
  shipDate: 'no ship date',
};

function textOf(name: keyof Former, value: Former[keyof Former]): string {
  if (value === null || value === undefined) return noneTexts[name] ?? `no ${name}`;
  const formerText = texts[name] as (value: NonNullable<Former[keyof Former]>) => string;
  return formerText(value);
}

/** What the fields were that an entry of the ledger changed; nothing for an entry that changed none. */
export function FormerValues({ of: { previous } }: { readonly of: NamedEntry }): JSX.Element | null {
  const names = Object.keys(previous ?? {}) as (keyof Former)[];
  if (previous === undefined || names.length === 0) return null;
  return (
    <span class="note">
      Before: <bdi>{names.map((name) => textOf(name, previous[name])).join(', ')}</bdi>
    </span>
  );
}
