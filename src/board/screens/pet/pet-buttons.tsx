import type { JSX } from 'preact';
import { RowActions } from '../../parts/lists/row-actions.js';
import { Name } from '../../parts/name.js';
import { may } from '../../state/session.js';
import { actionsFor } from '../stock/stock-actions.js';
import type { PetActionName } from './pet-dialog.js';
import type { PetWithStock } from './pet-with-stock.js';

const petActions = [
  { name: 'edit', label: 'Edit pet', isMain: false, operation: 'updatePet' },
  { name: 'delete', label: 'Delete pet', isMain: false, operation: 'deletePet' },
] as const;

interface ButtonsProps {
  readonly of: PetWithStock;
  readonly onChoose: (name: PetActionName) => void;
}

/** What can be done with a pet: the actions of Stock, and those of the pet itself. */
export function PetButtons({ of: { pet, stock }, onChoose }: ButtonsProps): JSX.Element {
  const actions = [...actionsFor(stock), ...petActions.filter(({ operation }) => pet !== undefined && may(operation))];
  return <RowActions id={stock.petId} of={<Name of={stock.name} />} actions={actions} onChoose={onChoose} isLarge />;
}
