import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type * as v from 'valibot';
import type { summary } from '../domain/reports/summary.js';
import { basePath, isStableOnly } from './state/base-path.js';
import { operationTable } from './state/operation-table.js';

type Summary = v.InferOutput<typeof summary>;

async function readSummary(): Promise<Summary> {
  const response = await fetch(`${basePath}${operationTable['getSummary']?.path}`);
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return response.json();
}

function Figures(): preact.JSX.Element {
  const [state, setState] = useState<Summary | Error>();
  useEffect(() => {
    readSummary().then(setState, setState);
  }, []);
  if (state === undefined) return <p>Loading …</p>;
  if (state instanceof Error) return <p role="alert">{state.message}</p>;
  const { units, low, short, orders, overdue } = state;
  const figures = { 'on hand': units.onHand, reserved: units.reserved, available: units.available, low, short, 'open orders': orders.open, overdue };
  return (
    <dl>
      {Object.entries(figures).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Missing(): preact.JSX.Element {
  return (
    <p>
      This server offers only stable operations (<code>--stable-only</code>), and the board needs the others. Start it without that flag.
    </p>
  );
}

const root = document.querySelector('#board');
if (root !== null) {
  root.replaceChildren();
  render(
    <main>
      <h1>petstore</h1>
      {isStableOnly ? <Missing /> : <Figures />}
    </main>,
    root,
  );
}
