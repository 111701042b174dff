import type { JSX } from 'preact';
import { countText, inertText } from '../../parts/text.js';
import { foreignLines, pendingLines, waitReason } from '../../state/counts/line-sender.js';

function ForeignLines(): JSX.Element | null {
  const { value } = foreignLines;
  const [first] = value;
  if (first === undefined) return null;
  return (
    <p>
      {countText(value.length, 'line')} of {inertText(first.by)} {value.length === 1 ? 'is' : 'are'} sent when {inertText(first.by)} signs in again.
    </p>
  );
}

/** How many lines wait for the server, and why. */
export function QueueStatus(): JSX.Element {
  const [waiting, reason] = [pendingLines.value, waitReason.value];
  return (
    <div class="queue-status stack" data-waiting={waiting > 0 && reason !== undefined}>
      {waiting > 0 && (
        <p>
          <strong>
            {countText(waiting, 'line')} {waiting === 1 ? 'waits' : 'wait'} to be sent.
          </strong>
        </p>
      )}
      {/* The number alone would be read out at each line. */}
      <p role="status">{waiting > 0 && reason && `${inertText(reason.message)} They are sent as soon as it answers. Keep this page open.`}</p>
      <ForeignLines />
    </div>
  );
}
