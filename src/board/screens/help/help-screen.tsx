import type { JSX } from 'preact';
import { Panel, Screen } from '../../parts/screen.js';
import { href } from '../../state/router.js';
import { basePath } from '../../state/server/base-path.js';
import { areShortcutsOn, shortcuts, turnShortcuts } from '../../state/shortcuts.js';
import { stockActions } from '../stock/stock-actions.js';
import { You } from './you.js';

function Keys({ of }: { readonly of: string }): JSX.Element {
  return (
    <>
      {of.split(' ').map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </>
  );
}

/** What the keys do where a count is typed; the shortcuts above do nothing there. */
const entryKeys = [
  { keys: 'Enter', does: 'Take the pet, and then its units' },
  { keys: '↓ ↑', does: 'Choose one of the pets that are offered' },
  { keys: 'Esc', does: 'Go back to the pet' },
];

function ShortcutList({ of }: { readonly of: readonly { readonly keys: string; readonly does: string }[] }): JSX.Element {
  return (
    <dl class="shortcuts">
      {of.map(({ keys, does }) => (
        <div key={keys}>
          <dt>
            <Keys of={keys} />
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}

function MoreHelp(): JSX.Element {
  return (
    <Panel title="More">
      <ul class="bulleted">
        <li>
          <a href={href('/', { wall: true })}>Today for a screen on the wall</a>: large type, nothing to press
        </li>
        <li>
          <code>petstore help board</code>: the chapter of the guide about these pages
        </li>
        <li>
          <a href={`${basePath}/docs`}>The API of this server</a>, for programs of your own
        </li>
      </ul>
    </Panel>
  );
}

/** The screen Help. */
export function HelpScreen(): JSX.Element {
  return (
    <Screen title="Help">
      <div class="panels">
        <You />
        <MoreHelp />
        <Panel title="Keyboard shortcuts">
          <label class="check">
            <input type="checkbox" checked={areShortcutsOn.value} onChange={(event) => turnShortcuts(event.currentTarget.checked)} />
            <span>Use these shortcuts</span>
          </label>
          <ShortcutList of={shortcuts} />
          <h3>In the field of a count</h3>
          <ShortcutList of={entryKeys} />
          <h3>In a row of Stock</h3>
          <ShortcutList of={stockActions.flatMap(({ key, label }) => (key === undefined ? [] : [{ keys: key, does: label }]))} />
        </Panel>
      </div>
    </Screen>
  );
}
