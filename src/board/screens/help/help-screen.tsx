import type { JSX } from 'preact';
import { Panel, Screen } from '../../parts/screen.js';
import { enableShortcuts, isEnabled, shortcuts } from '../../state/shortcuts.js';
import { stockActions } from '../stock/stock-actions.js';

function Keys({ of }: { readonly of: string }): JSX.Element {
  return (
    <>
      {of.split(' ').map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </>
  );
}

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

/** The screen Help. */
export function HelpScreen(): JSX.Element {
  return (
    <Screen title="Help">
      <Panel title="Keyboard shortcuts">
        <label class="check">
          <input type="checkbox" checked={isEnabled.value} onChange={(event) => enableShortcuts(event.currentTarget.checked)} />
          <span>Use these shortcuts</span>
        </label>
        <ShortcutList of={shortcuts} />
        <h3>In a row of Stock</h3>
        <ShortcutList of={stockActions.flatMap(({ key, label }) => (key === undefined ? [] : [{ keys: key, does: label }]))} />
      </Panel>
    </Screen>
  );
}
