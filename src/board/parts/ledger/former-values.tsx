import type { JSX } from 'preact';
import { fieldLabels } from '../../../domain/ledger/field-labels.js';
import type { NamedEntry } from '../../state/server/ledger.js';
import { inertText, numberText } from '../text.js';
import { instantText } from '../time.js';

type Former = NonNullable<NamedEntry['previous']>;

/** A value of a field; null is that of a field that has none. */
function valueText(name: keyof Former, value: Former[keyof Former]): string {
  if (value === null || value === undefined) return 'none';
  if (name === 'shipDate') return instantText(Date.parse(String(value)));
  return typeof value === 'number' ? numberText(value) : inertText(value);
}

/** What the fields were that an entry of the ledger changed, and what they became; nothing for an entry that changed none. */
export function FormerValues({ of: { previous, current = {} } }: { readonly of: NamedEntry }): JSX.Element | null {
  const names = Object.keys(previous ?? {}) as (keyof Former)[];
  if (previous === undefined || names.length === 0) return null;
  const changes = names.map((name) => {
    const before = `${fieldLabels[name]} ${valueText(name, previous[name])}`;
    return name in current ? `${before} → ${valueText(name, current[name])}` : `${before} before`;
  });
  const text = changes.join(', ');
  return (
    <bdi class="note">
      {text.charAt(0).toUpperCase()}
      {text.slice(1)}
    </bdi>
  );
}
