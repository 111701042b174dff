import type { JSX, RefObject } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { FieldFrame } from '../../parts/forms/field.js';
import { comboboxAttributes, Offers } from '../../parts/forms/offers.js';
import { availableText, petsMatching } from '../../parts/forms/pet-field.js';
import { useOffers } from '../../parts/forms/use-offers.js';
import { inertText } from '../../parts/text.js';
import type { RowOf } from '../../state/server/contract.js';

type Offered = RowOf<'listInventory'>;

interface ScanFieldProps {
  readonly field: RefObject<HTMLInputElement | null>;
  /** Takes a text, and the pet that was offered for it. */
  readonly onTake: (text: string, offered?: Offered) => void;
  /** Enter in the empty field. */
  readonly onEnd: () => void;
}

/** Some scanners send Return twice; a person takes longer. */
const twiceMs = 100;

interface Scanning {
  readonly list: readonly Offered[];
  readonly active: number;
  readonly press: (event: KeyboardEvent & { readonly currentTarget: HTMLInputElement }) => void;
  readonly change: (text: string) => void;
  readonly choose: (input: HTMLInputElement, text: string, offered: Offered | undefined) => void;
  readonly hide: () => void;
}

/** What the field does: it is empty again at once, because a scanner does not wait for the shop. */
function useScanning({ onTake, onEnd }: Pick<ScanFieldProps, 'onTake' | 'onEnd'>): Scanning {
  const entered = useRef(-twiceMs);
  const { offers, active, search, hide, press: move } = useOffers(petsMatching);
  const list = offers.value;
  const choose: Scanning['choose'] = (input, text, offered) => {
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
  const press: Scanning['press'] = (event) => {
    const { key, currentTarget: input, timeStamp } = event;
    if (key === 'Enter') enter(input, timeStamp);
    else if (!move(key)) return;
    event.preventDefault();
  };
  const change = (text: string): void => {
    // Digits are an id or a code.
    if (/^\d*$/.test(text.trim())) hide();
    else search(text);
  };
  return { list, active: active.value, press, change, choose, hide };
}

/** The field of a sale into which pets are scanned or typed. */
export function ScanField({ field, ...doing }: ScanFieldProps): JSX.Element {
  const id = useId();
  const { list, active, press, change, choose, hide } = useScanning(doing);
  const chooseOffer = (offer: Offered): void => void (field.current && choose(field.current, inertText(offer.name), offer));
  return (
    <FieldFrame
      id={id}
      label="Pet"
      name="petId"
      refusal={undefined}
      hint="Scan, or type a name, an ID or a code; x12 makes the last one 12. Enter in the empty field sells."
    >
      {(attributes) => (
        <>
          <input
            ref={field}
            {...attributes}
            {...comboboxAttributes(id, list, active)}
            enterKeyHint="go"
            autoFocus
            onInput={(event) => change(event.currentTarget.value)}
            onKeyDown={press}
            onBlur={hide}
          />
          <Offers id={id} of={list} active={active} detailOf={availableText} onChoose={chooseOffer} />
        </>
      )}
    </FieldFrame>
  );
}
