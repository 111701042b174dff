import type { ComponentChildren, JSX } from 'preact';
import type { Loaded } from '../state/live/loaded.js';
import type { RefusalCode, RefusalError } from '../state/server/refusal.js';
import { inertText } from './text.js';
import { localMessage } from './time.js';

const changedMeanwhile = 'Somebody else changed it meanwhile. It is shown as it is now: check it, and try again.';

/** A refusal that concerns no field. */
export function RefusalBox({ of }: { readonly of: RefusalError }): JSX.Element {
  return (
    <p class="refusal-box" role="alert">
      {of.code === 'precondition_failed' ? changedMeanwhile : inertText(localMessage(of.message))}
    </p>
  );
}

interface ShownProps<Value> {
  readonly of: Loaded<Value>;
  readonly children: (value: Value) => ComponentChildren;
}

/** Refusals that the page shows elsewhere: in its live status, and in the dialog to sign in again. */
const shownElsewhere: readonly RefusalCode[] = ['no_answer', 'unauthenticated'];

/** What was read from the shop, a placeholder until then, or why it could not be read. */
export function Shown<Value>({ of: { value, refusal, isOutdated }, children }: ShownProps<Value>): JSX.Element {
  if (value === undefined) return refusal ? <RefusalBox of={refusal} /> : <p class="waiting">Loading …</p>;
  return (
    <div class="shown" aria-busy={isOutdated}>
      {refusal && !shownElsewhere.includes(refusal.code) && <RefusalBox of={refusal} />}
      {children(value)}
    </div>
  );
}
