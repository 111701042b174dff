import { render } from 'preact';
import { Shell } from './shell.js';
import { startSendingLines } from './state/counts/line-sender.js';
import { startFollowing } from './state/live/live.js';
import { startMinutes } from './state/live/minutes.js';
import { startWatchingVisibility } from './state/live/visibility.js';
import { startRouting } from './state/router.js';
import { isStableOnly } from './state/server/base-path.js';
import { startShortcuts } from './state/shortcuts.js';
import { beginSession } from './state/sign-in.js';

function StableOnly(): preact.JSX.Element {
  return (
    <main>
      <h1>petstore</h1>
      <p>
        This server offers only stable operations (<code>--stable-only</code>), and the board needs the others. Start it without that flag.
      </p>
    </main>
  );
}

const root = document.querySelector('#board');
if (root !== null) {
  root.replaceChildren();
  if (isStableOnly) render(<StableOnly />, root);
  else {
    // First, so that the page is drawn while the server answers.
    void beginSession();
    startRouting();
    startShortcuts();
    startWatchingVisibility();
    startFollowing();
    startMinutes();
    startSendingLines();
    render(<Shell />, root);
  }
}
