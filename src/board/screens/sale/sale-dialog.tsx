import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { ActionForm } from '../../parts/forms/action-form.js';
import { Dialog } from '../../parts/forms/dialog.js';
import { Field, numberIn } from '../../parts/forms/field.js';
import { availableText } from '../../parts/forms/pet-field.js';
import { ReleaseButton } from '../../parts/forms/release-button.js';
import { useDoubt } from '../../parts/forms/use-doubt.js';
import { Name } from '../../parts/name.js';
import { inertText, orderText, saleText } from '../../parts/text.js';
import { useAction } from '../../state/changes/action.js';
import type { AnswerOf } from '../../state/server/contract.js';
import type { RefusalError } from '../../state/server/refusal.js';
import { isCode } from '../../state/typed-pet.js';
import { ScanField } from './scan-field.js';
import { useSale, type Sale, type SaleLine } from './use-sale.js';

function sentence(orders: AnswerOf<'callEach'>): string {
  const [only, second] = orders;
  if (only !== undefined && second === undefined) return saleText(only);
  return `Sold ${orders.map(orderText).join(', ')} (orders ${orders.map(({ id }) => id).join(', ')}).`;
}

/** A text that is no number, or a code: scanned while the focus was at the units. */
const isScan = (text: string): boolean => Number.isNaN(numberIn(text)) || isCode(text);

interface LineProps {
  readonly of: SaleLine;
  readonly sale: Sale;
  readonly refusal: RefusalError | undefined;
  readonly goBack: () => void;
}

function Line({ of: line, sale, refusal, goBack }: LineProps): JSX.Element {
  const before = useRef(line.units.value);
  const { value: stock } = line.stock;
  const isTooMany = stock !== undefined && numberIn(line.units.value) > stock.available;
  const enter = (): void => {
    const { value: text } = line.units;
    if (isScan(text)) {
      line.units.value = before.current;
      if (text.trim() !== '') void sale.take(text.trim());
    }
    goBack();
  };
  return (
    <li class="sale-line" data-pet={line.petId} aria-label={inertText(line.name)}>
      <span>
        <Name of={line.name} />
        {stock && (
          <small data-tone={isTooMany ? 'bad' : 'quiet'}>
            {isTooMany && stock.available > 0 && 'only '}
            {availableText(stock)}
          </small>
        )}
        {stock?.hold === true && <ReleaseButton petId={line.petId} name={line.name} onReleased={sale.refresh} />}
      </span>
      <Field
        label="Units"
        name="quantity"
        type="number"
        value={line.units}
        refusal={refusal}
        onFocus={() => (before.current = line.units.peek())}
        onEnter={enter}
      />
      <button
        type="button"
        class="small"
        onClick={() => {
          sale.remove(line);
          goBack();
        }}
      >
        Remove<span class="visually-hidden"> {inertText(line.name)}</span>
      </button>
    </li>
  );
}

function FailedScans({ of: { failed, dismiss }, goBack }: { readonly of: Sale; readonly goBack: () => void }): JSX.Element | null {
  if (failed.value.length === 0) return null;
  return (
    <div class="refusal-box failed-scans stack" role="alert">
      {failed.value.map((scan) => (
        <p key={scan.key}>
          <span>
            “{inertText(scan.text)}” was not added. {inertText(scan.reason)}
          </span>
          <button
            type="button"
            class="small"
            onClick={() => {
              dismiss(scan);
              goBack();
            }}
          >
            Dismiss<span class="visually-hidden"> {inertText(scan.text)}</span>
          </button>
        </p>
      ))}
    </div>
  );
}

/** Sells one or several pets over the counter: all of them or none. Each is scanned or typed; Enter in the empty field sells. */
export function SaleDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const sale = useSale();
  const [note, isAsked, doubt] = [useSignal(''), useSignal(false), useDoubt()];
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const action = useAction('callEach', sentence);
  const { value: lines } = sale.lines;
  const goBack = (): void => field.current?.focus();
  const take = async (text: string, offered?: Parameters<Sale['take']>[1]): Promise<void> => {
    isAsked.value = false;
    const petId = await sale.take(text, offered);
    // Somebody who chose from the list types the units next; a scanner sends the next code.
    if (offered === undefined || petId === undefined || field.current?.value !== '') return;
    list.current?.querySelector<HTMLElement>(`[data-pet="${petId}"] input`)?.focus();
  };
  const sell = async (): Promise<void> => {
    const { length: failures } = sale.failed.peek();
    const text = field.current?.value.trim() ?? '';
    if (field.current && text !== '') {
      field.current.value = '';
      return take(text);
    }
    await sale.settle();
    const inputs = sale.lines.peek().map(({ petId, units }) => ({ body: { petId, quantity: numberIn(units.peek()), complete: true } }));
    if (inputs.length === 0 || sale.failed.peek().length > failures || doubt.isRaised(inputs.map(({ body }) => body.quantity))) return goBack();
    // The oldest first, as they were scanned.
    if (await action.run({ body: { operation: 'placeOrder', inputs: inputs.toReversed() } }, { note: note.value })) onClose();
    else sale.refresh();
  };
  const end = async (): Promise<void> => {
    await sale.settle();
    // Nobody who scans sees a failure at once: it takes Enter once more to sell without it. The focus stays in the field, for the next scan.
    if (sale.failed.peek().length === 0 || isAsked.peek()) return sell();
    isAsked.value = true;
  };
  const { value: refusal } = action.refusal;
  const isOf = ({ petId }: SaleLine): boolean => refusal?.field === 'quantity' && (lines.length === 1 || refusal.details.petId === petId);
  return (
    <Dialog title="Sell" onClose={onClose}>
      <ActionForm
        label={sale.failed.value.length > 0 ? 'Sell the others' : 'Sell'}
        action={action}
        fields={lines.some(isOf) ? ['quantity', 'note'] : ['note']}
        onSubmit={sell}
        onCancel={onClose}
      >
        <ScanField field={field} onTake={(text, offered) => void take(text, offered)} onEnd={() => void end()} />
        <FailedScans of={sale} goBack={goBack} />
        {isAsked.value && <p role="status">Press Enter once more to sell the others.</p>}
        <ul ref={list} class="stack" aria-label="Pets" aria-live="polite">
          {lines.map((line) => (
            <Line key={line.petId} of={line} sale={sale} refusal={isOf(line) ? refusal : undefined} goBack={goBack} />
          ))}
        </ul>
        <Field label="Note (optional)" name="note" value={note} refusal={refusal} />
        {doubt.text !== '' && <p role="alert">{doubt.text}</p>}
      </ActionForm>
    </Dialog>
  );
}
