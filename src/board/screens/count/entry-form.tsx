import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { comboboxAttributes, Offers } from '../../parts/forms/offers.js';
import { inertText, numberText } from '../../parts/text.js';
import { maximumLines } from '../../state/counts/line-queue.js';
import { figuresText, petText, showsExpected, type Count } from './count-text.js';
import { useEntryFocus } from './entry-focus.js';
import { useEntry, type Entry } from './use-entry.js';

/** What is shown to somebody who types the units of a pet. */
function currentText(count: Count, { pet, found, doubt, isFull }: Entry): string {
  if (isFull.value) return `The last line was not taken: ${numberText(maximumLines)} lines wait for the server, and no more can be kept.`;
  if (doubt !== '') return doubt;
  if (pet === undefined || found === undefined) return '';
  if ('reason' in found) return inertText(found.reason);
  if (found.row === undefined) return 'Not in this count.';
  const { counted, onHand } = found.row;
  return figuresText({ counted, onHand: showsExpected(count) ? onHand : undefined });
}

interface ButtonsProps {
  readonly entry: Entry;
  readonly goBack: () => void;
}

function Buttons({ entry: { pet }, goBack }: ButtonsProps): JSX.Element {
  if (pet === undefined) {
    return (
      <button type="submit" class="primary">
        Next
      </button>
    );
  }
  return (
    <>
      <button type="submit" class="primary">
        Save
      </button>
      <button type="submit" value="add">
        Add
      </button>
      <button type="button" onClick={goBack}>
        Another pet
      </button>
    </>
  );
}

/** The field into which lines are typed or scanned: the pet and Enter, its units and Enter. */
export function EntryForm({ of: count }: { readonly of: Count }): JSX.Element {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const entry = useEntry(count.id);
  const { pet, found, offers, active } = entry;
  useEntryFocus();
  const inField = <Given extends readonly unknown[]>(work: (input: HTMLInputElement, ...given: Given) => unknown): ((...given: Given) => void) => {
    return (...given) => void (field.current && work(field.current, ...given));
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    inField(entry.enter)(event.submitter?.getAttribute('value') === 'add');
  };
  const text = currentText(count, entry);
  const isCounted = found !== undefined && 'row' in found && found.row?.counted !== undefined;
  return (
    <form class="panel count-entry stack" noValidate onSubmit={submit}>
      <label for={id}>{pet === undefined ? 'Pet: code, ID or name' : `Units of ${petText(found && 'pet' in found ? found.pet : pet)}`}</label>
      <div class="field">
        <input
          ref={field}
          id={id}
          data-entry
          data-search
          {...comboboxAttributes(id, offers, active)}
          aria-describedby={`${id}-now`}
          inputMode={pet === undefined ? 'text' : 'numeric'}
          // Another hint lets the key move the focus on, or close the keyboard.
          enterKeyHint="go"
          autoCapitalize="none"
          onInput={(event) => entry.type(event.currentTarget)}
          onKeyDown={(event) => entry.press(event.currentTarget, event.key) && event.preventDefault()}
        />
        <Offers id={id} of={offers} active={active} detailOf={({ counted }) => figuresText({ counted }).toLowerCase()} onChoose={inField(entry.choose)} />
      </div>
      <div class="buttons">
        <Buttons entry={entry} goBack={inField(entry.goBack)} />
      </div>
      <p id={`${id}-now`} class="entry-now" role="status">
        {text}
        {isCounted && <span class="hint">Save replaces it. Add, or a + before the number, adds to it.</span>}
      </p>
    </form>
  );
}
