import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';

interface RowAction<Name extends string> {
  readonly name: Name;
  readonly label: string;
  /** Whether it is frequent, and so has its own button. */
  readonly isMain: boolean;
}

interface RowActionsProps<Name extends string> {
  /** The id of the record. */
  readonly id: number;
  /** The name of the record, for the many buttons of a table that look the same. */
  readonly of: ComponentChildren;
  readonly actions: readonly RowAction<Name>[];
  readonly onChoose: (name: Name) => void;
  /** Whether they are those of a whole screen. */
  readonly isLarge?: boolean;
}

function Of({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <span class="visually-hidden"> {children}</span>;
}

function More<Name extends string>({ id, of, actions, onChoose, isLarge = false }: RowActionsProps<Name>): JSX.Element {
  const popover = useRef<HTMLDivElement>(null);
  const choose = (name: Name): void => {
    // Returns the focus to the button, where the dialog returns it too.
    popover.current?.hidePopover();
    onChoose(name);
  };
  return (
    <>
      <button type="button" class={isLarge ? '' : 'small'} popovertarget={`more-${id}`}>
        More
        <Of>{of}</Of>
      </button>
      <div ref={popover} id={`more-${id}`} class="menu-list" popover="auto">
        {actions.map(({ name, label }) => (
          <button key={name} type="button" onClick={() => choose(name)}>
            {label}
          </button>
        ))}
      </div>
    </>
  );
}

/** The buttons of a record: the frequent actions, and the others behind "More". A single one needs no menu. */
export function RowActions<Name extends string>({ actions, onChoose, ...record }: RowActionsProps<Name>): JSX.Element {
  const main = actions.filter(({ isMain }) => isMain || actions.length === 1);
  const others = actions.filter((action) => !main.includes(action));
  const classOf = (isFirst: boolean): string => (record.isLarge !== true ? 'small' : isFirst ? 'primary' : '');
  return (
    <div class="row-actions">
      {main.map(({ name, label, isMain }, index) => (
        <button key={name} type="button" class={classOf(isMain && index === 0)} onClick={() => onChoose(name)}>
          {label}
          <Of>{record.of}</Of>
        </button>
      ))}
      {others.length > 0 && <More {...record} actions={others} onChoose={onChoose} />}
    </div>
  );
}
