import type { JSX } from 'preact';
import { Toggles } from '../../parts/lists/filters.js';
import { Screen } from '../../parts/screen.js';
import { queryValue } from '../../state/router.js';
import { DeadStockReport } from './dead-stock-report.js';
import { MovementsReport } from './movements-report.js';
import { SellThroughReport } from './sell-through-report.js';
import { StockReport } from './stock-report.js';

const reports = [
  { name: 'stock', label: 'Stock', Report: StockReport },
  { name: 'movements', label: 'Movements', Report: MovementsReport },
  { name: 'sell-through', label: 'Sell-through', Report: SellThroughReport },
  { name: 'dead-stock', label: 'Dead stock', Report: DeadStockReport },
] as const;

/** The screen Reports. */
export function ReportsScreen(): JSX.Element {
  const asked = queryValue('report');
  const shown = reports.find(({ name }) => name === asked) ?? reports[0];
  return (
    <Screen title="Reports">
      <nav class="filters control" aria-label="Reports">
        <Toggles label="Reports" name="report" choices={reports.map(({ name, label }) => ({ value: name, label }))} />
      </nav>
      <shown.Report />
    </Screen>
  );
}
