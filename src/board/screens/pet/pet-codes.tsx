import type { JSX } from 'preact';
import { numberIn } from '../../parts/forms/field.js';
import { formDialog } from '../../parts/forms/form-dialog.js';
import { useOpenDialog } from '../../parts/forms/open-dialog.js';
import { Name } from '../../parts/name.js';
import { Panel } from '../../parts/screen.js';
import { countText, inertText } from '../../parts/text.js';
import { href } from '../../state/router.js';
import { requiredVersion, may } from '../../state/session.js';
import type { PetWithStock } from './pet-facts.js';

type Pet = PetWithStock['pet'];

const AddDialog = formDialog({
  operation: 'addCode',
  title: 'Add a code to',
  pet: ({ name }: Pet) => name,
  fields: { code: { type: 'code', label: 'Code' }, units: { type: 'number', label: 'Units that one scan means' } },
  initial: () => ({ units: '1' }),
  label: 'Add code',
  input: ({ code, units }, { id }) => ({ petId: id, body: { code, units: numberIn(units) } }),
  ifMatch: ({ version }) => requiredVersion(version),
  sentence: ({ code }, { petId }) => `Added the code ${code} to pet ${petId}.`,
});

const RemoveDialog = formDialog({
  operation: 'removeCode',
  title: ({ code }: { readonly code: string; readonly pet: Pet }) => `Remove the code ${inertText(code)}`,
  line: ({ pet }) => <Name of={pet.name} />,
  fields: {},
  label: 'Remove code',
  isDangerous: true,
  input: (_, { code }) => ({ code }),
  ifMatch: ({ pet }) => requiredVersion(pet.version),
  sentence: ({ code }) => `Removed the code ${code}.`,
});

/** The codes of a pet, and its label. */
export function PetCodes({ pet }: { readonly pet: Pet }): JSX.Element {
  const added = useOpenDialog<Pet>();
  const removed = useOpenDialog<{ readonly code: string; readonly pet: Pet }>();
  return (
    <Panel
      title="Codes"
      aside={
        <span class="buttons">
          {may('addCode') && (
            <button type="button" class="small" onClick={() => added.open(pet)}>
              Add code
            </button>
          )}
          <a class="button small" href={href('/labels', { petId: pet.id })} target="_blank">
            Print label
          </a>
        </span>
      }
    >
      {pet.codes.length === 0 && <p class="empty">It has no code; its label has the own number of the shop.</p>}
      <ul class="low-pets">
        {pet.codes.map(({ code, units }) => (
          <li key={code}>
            <span>
              <Name of={code} />
              {units > 1 && <small> {countText(units, 'unit')} a scan</small>}
            </span>
            {may('removeCode') && (
              <button type="button" class="small control" onClick={() => removed.open({ code, pet })}>
                Remove<span class="visually-hidden"> {inertText(code)}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {added.choice && <AddDialog row={added.choice} onClose={added.close} />}
      {removed.choice && <RemoveDialog row={removed.choice} onClose={removed.close} />}
    </Panel>
  );
}
