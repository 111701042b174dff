import type { JSX } from 'preact';
import { Screen } from '../../parts/screen.js';
import { weekdayText } from '../../parts/time.js';
import { presentMinute } from '../../state/live/minutes.js';
import { may } from '../../state/session.js';
import { DueOrders } from './due-orders.js';
import { LastChanges } from './last-changes.js';
import { LastImports } from './last-imports.js';
import { ShopFigures } from './shop-figures.js';

/** The screen Today: how the shop is doing. */
export function TodayScreen(): JSX.Element {
  return (
    <Screen title="Today" aside={<p class="today-date">{weekdayText(presentMinute.value)}</p>}>
      <ShopFigures />
      <div class="panels split">
        <div class="panels">
          {may('listOrders') && <DueOrders />}
          {may('listBatches') && <LastImports />}
        </div>
        <div class="panels">{may('listLedger') && <LastChanges />}</div>
      </div>
    </Screen>
  );
}
