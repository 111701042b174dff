import type { JSX } from 'preact';

/** What a status means for the shop: `good`, `busy`, `bad`, or nothing to do (`quiet`). */
export type Tone = 'good' | 'busy' | 'bad' | 'quiet';

/** The words for the states of pets, orders, imports and counts. */
const toneOf = {
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
} as const satisfies Readonly<Record<string, Tone>>;

/** A word with a coloured dot. */
export function Dotted({ of, tone }: { readonly of: string; readonly tone: Tone }): JSX.Element {
  return (
    <span class="status" data-tone={tone}>
      {of}
    </span>
  );
}

/** The state of a record. */
export function Status({ of }: { readonly of: keyof typeof toneOf }): JSX.Element {
  return <Dotted of={of} tone={toneOf[of]} />;
}
