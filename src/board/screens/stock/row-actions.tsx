import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { Name } from '../../parts/name.js';
import { actionsFor, type StockActionName, type StockRow } from './stock-actions.js';

/** The pet of a row, and what happens when one of its actions is chosen. */
export interface RowActionsProps {
  readonly row: StockRow;
  readonly onChoose: (name: StockActionName, row: StockRow) => void;
}

/** The name of the pet, for the many buttons of a table that look the same. */
function OfPet({ row }: { readonly row: StockRow }): JSX.Element {
  return (
    <span class="visually-hidden">
      {' '}
      <Name of={row.name} />
    </span>
  );
}

function More({ row, onChoose }: RowActionsProps): JSX.Element | null {
  const popover = useRef<HTMLDivElement>(null);
  const others = actionsFor(row).filter(({ isMain }) => !isMain);
  if (others.length === 0) return null;
  const id = `more-${row.petId}`;
  const choose = (name: StockActionName): void => {
    // Returns the focus to the button, where the dialog returns it too.
    popover.current?.hidePopover();
    onChoose(name, row);
  };
  return (
    <>
      <button type="button" class="small" popovertarget={id}>
        More
        <OfPet row={row} />
      </button>
      <div ref={popover} id={id} class="menu-list" popover="auto">
        {others.map(({ name, label }) => (
          <button key={name} type="button" onClick={() => choose(name)}>
            {label}
          </button>
        ))}
      </div>
    </>
  );
}

/** The buttons of a row. */
export function RowActions({ row, onChoose }: RowActionsProps): JSX.Element {
  return (
    <div class="row-actions">
      {actionsFor(row)
        .filter(({ isMain }) => isMain)
        .map(({ name, label }) => (
          <button key={name} type="button" class="small" onClick={() => onChoose(name, row)}>
            {label}
            <OfPet row={row} />
          </button>
        ))}
      <More row={row} onChoose={onChoose} />
    </div>
  );
}
