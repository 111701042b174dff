import type { JSX } from 'preact';

/** What a status means for the shop: `good`, `busy`, `bad`, or nothing to do (`quiet`). */
export type Tone = 'good' | 'busy' | 'bad' | 'quiet';

const toneOf: Readonly<Record<string, Tone>> = {
  available: 'good',
  pending: 'busy',
  sold: 'quiet',
  open: 'busy',
  due: 'busy',
  overdue: 'bad',
  draft: 'quiet',
  complete: 'good',
  cancelled: 'quiet',
  applied: 'good',
  partial: 'busy',
  refused: 'bad',
  undone: 'quiet',
  low: 'busy',
  short: 'bad',
  'on hold': 'busy',
};

/** A status: a coloured dot and its word. */
export function Status({ of, tone = toneOf[of] ?? 'quiet' }: { readonly of: string; readonly tone?: Tone | undefined }): JSX.Element {
  return (
    <span class="status" data-tone={tone}>
      {of}
    </span>
  );
}
