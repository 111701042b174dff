import type { JSX } from 'preact';
import { Facts } from '../../parts/facts.js';
import { Name } from '../../parts/name.js';
import { Panel } from '../../parts/screen.js';
import { numberText } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { href } from '../../state/router.js';
import { call } from '../../state/server/call.js';
import type { AnswerOf } from '../../state/server/contract.js';
import { StockStatus } from '../stock/stock-status.js';

/** A pet with its stock, as the screen shows them. */
export interface PetWithStock {
  readonly pet: AnswerOf<'getPetDetails'>;
  readonly stock: AnswerOf<'getInventoryItem'>;
}

/** Reads a pet and its stock. */
export async function readPet(petId: number, signal: AbortSignal): Promise<PetWithStock> {
  const [pet, stock] = await Promise.all([call('getPetDetails', { petId }, { signal }), call('getInventoryItem', { petId }, { signal })]);
  return { pet, stock };
}

/** What is known of a pet. */
export function PetFacts({ pet, stock }: PetWithStock): JSX.Element {
  const { petId, quantity, reserved, available, lowAt } = stock;
  return (
    <Panel title="Details">
      <Facts
        of={{
          'On hand': <span class="large-figure">{numberText(quantity)}</span>,
          Reserved: <span class="large-figure">{numberText(reserved)}</span>,
          Available: <span class="large-figure">{numberText(available)}</span>,
          Status: <StockStatus of={stock} />,
          ID: petId,
          Category: (
            <a href={href('/stock', { category: pet.category.id })}>
              <Name of={stock.category} />
            </a>
          ),
          'Low at': lowAt === undefined ? 'never' : numberText(lowAt),
          'Open orders': pet.openOrders === 0 ? 0 : <a href={href('/orders', { pet: petId, state: 'open' })}>{numberText(pet.openOrders)}</a>,
          Added: <Time at={pet.createdAt} />,
          'Last change': <Time at={pet.updatedAt} />,
          ...(pet.lastCounted && {
            'Last counted': (
              <>
                <Time at={pet.lastCounted.at} /> by <Name of={pet.lastCounted.by} />
              </>
            ),
          }),
        }}
      />
    </Panel>
  );
}
