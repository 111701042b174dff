import type { JSX } from 'preact';
import { Screen } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { numberText } from '../../parts/text.js';
import { clockText, weekdayText } from '../../parts/time.js';
import { timeZone } from '../../state/clock.js';
import { useCall } from '../../state/live/loaded.js';
import { presentMinute } from '../../state/live/minutes.js';
import { isWall } from '../../state/router.js';
import { NoPets } from '../stock/no-pets.js';
import { ShopFigures } from './shop-figures.js';
import { DueOrders, LastChanges, LowPets } from './shop-lists.js';

/** The screen Today: how the shop is doing. On a wall it has the time as well. */
export function TodayScreen(): JSX.Element {
  const summary = useCall('getSummary', { tz: timeZone, lists: true });
  const minute = presentMinute.value;
  return (
    <Screen
      title="Today"
      aside={
        <p class="today-date">
          {weekdayText(minute)}
          {isWall.value && <strong class="wall-clock"> {clockText(minute)}</strong>}
        </p>
      }
    >
      <Shown of={summary}>
        {(value) => (
          <>
            <ShopFigures of={value} />
            {value.unhealthyHooks.length > 0 && (
              <p class="note">
                {value.unhealthyHooks
                  .map(({ hookId, state, waiting }) => {
                    const entries = `${numberText(waiting)} ledger ${waiting === 1 ? 'entry' : 'entries'}`;
                    return `Webhook ${hookId} ${state === 'paused' ? 'is paused' : 'fails'}, ${entries} waiting.`;
                  })
                  .join(' ')}
              </p>
            )}
            {!isWall.value && Object.values(value.pets).every((count) => count === 0) && (
              <section class="panel" aria-label="First steps">
                <NoPets />
              </section>
            )}
            <div class="panels split today">
              <div class="panels">
                <DueOrders of={value} />
                <LowPets of={value} />
              </div>
              <div class="panels">
                <LastChanges of={value} />
              </div>
            </div>
          </>
        )}
      </Shown>
    </Screen>
  );
}
