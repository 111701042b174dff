import type { JSX } from 'preact';
import type { RowOf } from '../state/server/contract.js';

/** What a status means for the shop: `good`, `busy`, `bad`, or nothing to do (`quiet`). */
export type Tone = 'good' | 'busy' | 'bad' | 'quiet';

/** The words for the states of pets, orders and imports. */
type StatusWord =
  | RowOf<'listInventory'>['status']
  | 'on hold'
  | 'low'
  | 'short'
  | RowOf<'listOrders'>['state']
  | 'overdue'
  | 'cancelled'
  | RowOf<'listBatches'>['state']
  | RowOf<'listCounts'>['state'];

const toneOf: Readonly<Record<StatusWord, Tone>> = {
  available: 'good',
  pending: 'busy',
  sold: 'quiet',
  open: 'busy',
  overdue: 'bad',
  draft: 'quiet',
  complete: 'good',
  cancelled: 'quiet',
  closed: 'good',
  applied: 'good',
  partial: 'busy',
  refused: 'bad',
  undone: 'quiet',
  low: 'busy',
  short: 'bad',
  'on hold': 'busy',
};

/** A word with a coloured dot. */
export function Dotted({ of, tone }: { readonly of: string; readonly tone: Tone }): JSX.Element {
  return (
    <span class="status" data-tone={tone}>
      {of}
    </span>
  );
}

/** The state of a record. */
export function Status({ of }: { readonly of: StatusWord }): JSX.Element {
  return <Dotted of={of} tone={toneOf[of]} />;
}
