import { signal, useSignal, type Signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { useAction } from '../../state/changes/action.js';
import type { AnswerOf, Changes, InputOf } from '../../state/server/contract.js';
import { unlessRefused, type RefusalError } from '../../state/server/refusal.js';
import { noPet, type TypedPet } from '../../state/typed-pet.js';
import { ActionForm } from './action-form.js';
import { CategoryField, type CategoryChoice } from './category-field.js';
import { Dialog } from './dialog.js';
import { AllowShortage, CheckboxField, Field, numberIn } from './field.js';
import { PetField } from './pet-field.js';
import { SelectField } from './select-field.js';
import { useDoubt } from './use-doubt.js';

/** A field of a form; `shortage` accepts fewer units than are reserved, and is shown after a refusal for that. */
export interface FormField {
  readonly type?: 'text' | 'code' | 'number' | 'datetime-local' | 'check' | 'select' | 'category' | 'pet' | 'shortage';
  readonly label: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly isShown?: () => boolean;
  /** The choices of `select`. */
  readonly choices?: readonly CategoryChoice[];
  /** Another field of the refusals that are shown beside it. */
  readonly also?: string;
}

type FormFields = Readonly<Record<string, FormField>>;

type ValueOf<Type extends FormField['type']> = Type extends 'pet' ? TypedPet : Type extends 'check' | 'shortage' ? boolean : string;

/** What the fields of a form hold. */
type Values<Fields extends FormFields> = { readonly [Name in keyof Fields]: ValueOf<Fields[Name]['type']> };

/** A small form that makes one change, to the record `Row` or without one. */
interface Form<Id extends keyof Changes, Row, Fields extends FormFields> {
  readonly operation: Id;
  readonly title: string | ((row: Row) => string);
  /** The name of the pet that it is about, after the title. */
  readonly pet?: (row: Row) => string;
  /** Reads the record when the dialog opens, and again after a refusal: rows of lists have no version, which If-Match needs. */
  readonly read?: (row: Row) => Promise<Row>;
  /** The record as it is now, above the fields. */
  readonly line?: (row: Row) => ComponentChildren;
  readonly explanation?: (row: Row) => ComponentChildren;
  /** By their names in the refusals of the shop, in their order. */
  readonly fields: Fields;
  readonly initial?: (row: Row) => Partial<Values<Fields>>;
  /** What a field `category` offers besides the categories of the shop, of which it knows only so many. */
  readonly categories?: (row: Row) => readonly CategoryChoice[];
  /** The words of the button that makes the change. */
  readonly label: string | ((values: Values<Fields>) => string);
  readonly isDangerous?: boolean;
  /** Whether a note for the ledger can be given; so by default. */
  readonly hasNote?: boolean;
  /** The input of the operation, with the record as it is now and as the fields showed it at first; undefined where nothing was edited. */
  readonly input: (values: Values<Fields>, now: Row, shown: Row) => InputOf<Id> | undefined;
  /** The version that the record must have. */
  readonly ifMatch?: (row: Row) => number | undefined;
  readonly sentence: (answer: AnswerOf<Id>, input: InputOf<Id>) => string;
  /** What comes after the change, when the dialog is closed. */
  readonly onDone?: (answer: AnswerOf<Id>, row: Row) => unknown;
}

/** What a dialog gets: the record as it was shown when the dialog was opened. */
export interface FormDialogProps<Row> {
  readonly row: Row;
  readonly onClose: () => void;
}

/** The signals of all fields; each has the type that `ValueOf` says. */
type Signals = Readonly<Record<string, Signal>>;

function emptyOf({ type, choices }: FormField): unknown {
  if (type === 'pet') return noPet;
  return type === 'check' || type === 'shortage' ? false : (choices?.[0]?.value ?? '');
}

function signalsOf(fields: FormFields, initial: Readonly<Record<string, unknown>>): Signals {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, signal(initial[name] ?? emptyOf(field))]));
}

interface FormControlProps extends FormField {
  readonly name: string;
  readonly value: Signal;
  readonly refusal: RefusalError | undefined;
  readonly isFirst: boolean;
}

function FormControl({ type = 'text', choices = [], also, name: ownName, ...rest }: FormControlProps): JSX.Element {
  const { label, value, refusal, isFirst } = rest;
  const name = also !== undefined && refusal?.field === also ? also : ownName;
  switch (type) {
    case 'check':
      return <CheckboxField label={label} value={value} />;
    case 'shortage':
      return <AllowShortage value={value} refusal={refusal} />;
    case 'select':
      return <SelectField label={label} name={name} value={value} choices={choices} refusal={refusal} />;
    case 'category':
      return <CategoryField label={label} name={name} value={value} others={choices} refusal={refusal} />;
    case 'pet':
      return <PetField {...rest} isForSale isFirst={isFirst} />;
    case 'text':
    case 'code':
    case 'number':
    case 'datetime-local':
      return <Field {...rest} name={name} type={type} />;
  }
}

/** What is typed in the fields of a type. */
function typedIn(fields: FormFields, signals: Signals, wanted: FormField['type']): readonly string[] {
  return Object.entries(fields).flatMap(([name, { type }]) => (type === wanted ? String(signals[name]?.peek()) : []));
}

/** The codes in the fields, only for the doubt about them; the units of a carton are after its code and `*`. The shop reads the fields by `codesInCell`, which would add 5 KB of schemas to the page. */
function codesIn(fields: FormFields, signals: Signals): readonly string[] {
  const texts = typedIn(fields, signals, 'code').flatMap((text) => text.split(/\s+/));
  return texts.map((text) => text.replace(/\*\d+$/, ''));
}

const note: FormField = { label: 'Note (optional)' };

function textOf<Argument>(text: string | ((argument: Argument) => string), argument: Argument): string {
  return typeof text === 'string' ? text : text(argument);
}

function FormDialog<Id extends keyof Changes, Row, Fields extends FormFields>({
  form,
  row,
  onClose,
}: FormDialogProps<Row> & { readonly form: Form<Id, Row, Fields> }): JSX.Element {
  const { operation, title, pet, read, line, explanation, initial, label, isDangerous = false, hasNote = true, onDone } = form;
  const fields: FormFields = hasNote ? { ...form.fields, note } : form.fields;
  // It does not change by itself, so that nobody confirms what they have not seen.
  const record = useSignal(row);
  const reread = async (): Promise<void> => {
    if (read) record.value = (await unlessRefused(read(row))) ?? record.peek();
  };
  useEffect(() => void reread(), []);
  const signals = useMemo(() => signalsOf(fields, initial?.(row) ?? {}), []);
  const action = useAction(operation, form.sentence);
  const values = Object.fromEntries(Object.entries(signals).map(([name, { value }]) => [name, value])) as Values<Fields>;
  const doubt = useDoubt();
  const submit = async (): Promise<void> => {
    if (doubt.isRaised(typedIn(fields, signals, 'number').map(numberIn), codesIn(fields, signals))) return;
    const input = form.input(values, record.value, row);
    if (input === undefined) return onClose();
    const options = { ifMatch: form.ifMatch?.(record.value), ...(hasNote && { note: String(signals['note']?.value) }) };
    const answer = await action.run(input, options);
    if (answer === undefined) return reread();
    onClose();
    onDone?.(answer, row);
  };
  const { value: refusal } = action.refusal;
  const categories = form.categories?.(row) ?? [];
  const names = Object.entries(fields).flatMap(([name, { type, also }]) => (type === 'check' ? [] : also === undefined ? [name] : [name, also]));
  const isConfirmation = Object.keys(form.fields).length === 0 && !(isDangerous && hasNote);
  // Enter in a select opens its list.
  const first = isConfirmation ? undefined : Object.keys(fields).find((name) => !['select', 'category'].includes(fields[name]?.type ?? ''));
  return (
    <Dialog title={textOf(title, row)} pet={pet?.(row)} onClose={onClose}>
      {line && <p class="record-line">{line(record.value)}</p>}
      {explanation && <p class="explanation">{explanation(row)}</p>}
      <ActionForm
        label={textOf(label, values)}
        action={action}
        fields={names}
        isDangerous={isDangerous}
        isConfirmation={isConfirmation}
        onSubmit={submit}
        onCancel={onClose}
      >
        {Object.entries(fields).map(
          ([name, { isShown = () => true, ...field }]) =>
            signals[name] &&
            isShown() && (
              <FormControl key={name} choices={categories} {...field} name={name} value={signals[name]} refusal={refusal} isFirst={name === first} />
            ),
        )}
        {doubt.text !== '' && <p role="alert">{doubt.text}</p>}
      </ActionForm>
    </Dialog>
  );
}

/** The dialog of a small form. */
export function formDialog<Id extends keyof Changes, Row, const Fields extends FormFields>(
  form: Form<Id, Row, Fields>,
): (props: FormDialogProps<Row>) => JSX.Element {
  return (props) => <FormDialog {...props} form={form} />;
}
