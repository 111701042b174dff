import { useSignal } from '@preact/signals';
import type { JSX, Ref } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { FieldFrame, maximumTyped } from '../../parts/forms/field.js';
import { Offers } from '../../parts/forms/offers.js';
import { availableText, petsMatching } from '../../parts/forms/pet-field.js';
import { useOffers } from '../../parts/forms/use-offers.js';
import { inertText } from '../../parts/text.js';
import type { RowOf } from '../../state/server/contract.js';

interface ScanFieldProps {
  readonly field: Ref<HTMLInputElement>;
  /** Takes a text, and the pet that was offered for it. */
  readonly onTake: (text: string, offered?: RowOf<'listInventory'>) => void;
  /** Enter in the empty field. */
  readonly onEnd: () => void;
}

/** Some scanners send Return twice; a person takes longer. */
const twiceMs = 100;

/** The field of a sale into which pets are scanned or typed. It is empty again at once: a scanner does not wait for the shop. */
export function ScanField({ field, onTake, onEnd }: ScanFieldProps): JSX.Element {
  const id = useId();
  const active = useSignal(0);
  const entered = useRef(-twiceMs);
  const { offers, search, hide } = useOffers(petsMatching);
  const list = offers.value;
  const choose = (input: HTMLInputElement, text: string, offered: RowOf<'listInventory'> | undefined): void => {
    input.value = '';
    hide();
    onTake(text, offered);
  };
  const enter = (input: HTMLInputElement, at: number): void => {
    const text = input.value.trim();
    if (text !== '') choose(input, text, list[active.value]);
    else if (at - entered.current > twiceMs) onEnd();
    entered.current = at;
  };
  const press = (event: KeyboardEvent & { readonly currentTarget: HTMLInputElement }): void => {
    const { key, currentTarget: input, timeStamp } = event;
    if (key === 'Enter') enter(input, timeStamp);
    else if (list.length === 0) return;
    else if (key === 'ArrowDown' || key === 'ArrowUp') active.value = (active.value + (key === 'ArrowDown' ? 1 : list.length - 1)) % list.length;
    else if (key === 'Escape') hide();
    else return;
    event.preventDefault();
  };
  const change = (text: string): void => {
    active.value = 0;
    // Digits are an id or a code.
    if (/^\d*$/.test(text.trim())) hide();
    else search(text);
  };
  return (
    <FieldFrame id={id} label="Pet" name="petId" refusal={undefined} hint="Scan, or type a name, an ID or a code. Enter in the empty field sells.">
      {(attributes) => (
        <>
          <input
            ref={field}
            {...attributes}
            role="combobox"
            aria-expanded={list.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={list.length > 0 ? `${id}-${active.value}` : undefined}
            enterKeyHint="go"
            spellcheck={false}
            maxLength={maximumTyped}
            autoFocus
            onInput={(event) => change(event.currentTarget.value)}
            onKeyDown={press}
            onBlur={hide}
          />
          <Offers
            id={id}
            of={list}
            active={active.value}
            detailOf={availableText}
            onChoose={(offer) => {
              const input = document.querySelector<HTMLInputElement>(`[id="${id}"]`);
              if (input) choose(input, inertText(offer.name), offer);
            }}
          />
        </>
      )}
    </FieldFrame>
  );
}
