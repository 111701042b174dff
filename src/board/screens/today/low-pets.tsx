import type { JSX } from 'preact';
import { PetLink } from '../../parts/name.js';
import { Panel } from '../../parts/screen.js';
import { numberText } from '../../parts/text.js';
import { href } from '../../state/router.js';
import type { AnswerOf } from '../../state/server/contract.js';

/** The names of the pets at or below their low level. */
export function LowPets({ of: { low, lowPets } }: { readonly of: AnswerOf<'getSummary'> }): JSX.Element {
  const more = low - lowPets.length;
  return (
    <Panel title="Low" aside={<a href={href('/stock', { show: 'low' })}>All low pets</a>}>
      {low === 0 && <p class="empty">No pet is low.</p>}
      <ul class="low-pets">
        {lowPets.map(({ petId, name, available }) => (
          <li key={petId}>
            <PetLink id={petId} name={name} />
            <span>{numberText(available)} available</span>
          </li>
        ))}
        {more > 0 && <li>and {numberText(more)} more</li>}
      </ul>
    </Panel>
  );
}
