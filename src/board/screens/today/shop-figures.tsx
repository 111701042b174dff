import type { JSX } from 'preact';
import type { Tone } from '../../parts/status.js';
import { numberText } from '../../parts/text.js';
import { dayOf } from '../../parts/time.js';
import { now } from '../../state/clock.js';
import { href } from '../../state/router.js';
import type { AnswerOf } from '../../state/server/contract.js';

interface FigureProps {
  readonly label: string;
  readonly value: number;
  readonly address: string;
  /** What is said beside it. */
  readonly beside?: string | undefined;
  /** What the figure means while it is not 0. */
  readonly tone?: Tone;
}

function Figure({ label, value, address, beside, tone = 'quiet' }: FigureProps): JSX.Element {
  return (
    <li class="figure" data-tone={value === 0 ? 'quiet' : tone}>
      <a href={address}>
        <span class="figure-label">{label}</span>
        <span class="figure-value">{numberText(value)}</span>
        {beside !== undefined && <span class="figure-beside">{beside}</span>}
      </a>
    </li>
  );
}

/** The figures of the whole shop, each a link to what it counts. */
export function ShopFigures({ of: { today, units, low, short, due, overdue, orders } }: { readonly of: AnswerOf<'getSummary'> }): JSX.Element {
  const day = dayOf(now());
  return (
    <>
      <ul class="figures" data-size="large" aria-label="Today">
        <Figure label="Sold today" value={today.sold} address={href('/ledger', { kind: 'sale', since: day })} />
        <Figure label="Received today" value={today.received} address={href('/reports', { report: 'movements', from: day })} />
        <Figure label="Returned today" value={today.returned} address={href('/ledger', { kind: 'return', since: day })} />
        <Figure
          label="Available"
          value={units.available}
          address={href('/stock', { show: 'available' })}
          beside={units.held === 0 ? undefined : `${numberText(units.held)} on hold`}
        />
      </ul>
      <ul class="figures" aria-label="What needs attention">
        <Figure label="Low" value={low} address={href('/stock', { show: 'low' })} tone="busy" />
        <Figure label="Short" value={short} address={href('/stock', { show: 'short' })} tone="bad" />
        <Figure label="Orders overdue" value={overdue} address={href('/orders', { state: 'overdue' })} tone="bad" />
        <Figure label="Orders due today" value={due} address={href('/orders', { state: 'due' })} tone="busy" />
        <Figure label="Orders open" value={orders.open} address={href('/orders', { state: 'open' })} />
        <Figure label="Reserved" value={units.reserved} address={href('/orders', { state: 'open' })} />
        <Figure label="On hand" value={units.onHand} address={href('/stock')} />
      </ul>
    </>
  );
}
