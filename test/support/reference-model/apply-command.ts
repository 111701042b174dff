import { categoryRules, type CategoryCommand } from './categories.js';
import { codeRules, type CodeCommand } from './codes.js';
import { countRules, type CountCommand } from './counts.js';
import { importRules, type ImportCommand } from './imports.js';
import { orderRules, type OrderCommand } from './orders.js';
import { petRules, type PetCommand } from './pets.js';
import { answerUnder, done, refuse, Refused, rowsOf, type Model } from './shop.js';
import { stockRules, type StockCommand } from './stock.js';

/** The verbs that can be applied to several records in one request. */
export type SeveralVerb = 'hold' | 'release' | 'delete pet' | 'complete' | 'reopen' | 'cancel';

/** A change of several records in one transaction. */
export interface Several {
  readonly do: 'several';
  readonly verb: SeveralVerb;
  readonly ids: readonly number[];
}

/** A command to the shop; the ids of records may not exist. */
export type Command = CategoryCommand | PetCommand | CodeCommand | StockCommand | OrderCommand | ImportCommand | CountCommand | Several;

/** A command with its options. */
export interface CommandRequest {
  readonly command: Command;
  readonly dryRun: boolean;
  readonly key: string | undefined;
  /** The version that the record must have. */
  readonly ifMatch: number | undefined;
}

/** Refuses a command if the record is not at the expected version. */
export type Conditional = (noun: 'pet' | 'order' | 'category', id: number) => void;

/** The rule for each command, which changes the model and returns the answer. A refusal may leave the model partly changed. */
export type Rules<Each extends { readonly do: string }> = {
  readonly [Do in Each['do']]: (model: Model, command: Each & { readonly do: Do }, check: Conditional) => string;
};

/** The command for one of several records. */
function singleCommand(verb: SeveralVerb, id: number): Command {
  if (verb === 'complete' || verb === 'reopen') {
    return { do: 'edit order', order: id, pet: undefined, quantity: undefined, ship: undefined, complete: verb === 'complete' };
  }
  return verb === 'cancel' ? { do: verb, order: id } : { do: verb, pet: id };
}

const rules: Rules<Command> = {
  ...categoryRules,
  ...petRules,
  ...codeRules,
  ...stockRules,
  ...orderRules,
  ...importRules,
  ...countRules,
  several: (model, { verb, ids }) => {
    for (const id of ids) perform(model, singleCommand(verb, id), () => undefined);
    return done;
  },
};

function perform(model: Model, command: Command, check: Conditional): string {
  return (rules[command.do] as (model: Model, command: Command, check: Conditional) => string)(model, command, check);
}

/** The text by which a repeated request is recognised. */
function requestOf({ command }: CommandRequest): string {
  // allowShortage is not part of the identity of an undo.
  return JSON.stringify(command.do === 'undo batch' ? { ...command, allowShortage: undefined } : command);
}

function once(model: Model, asked: CommandRequest, work: () => string): string {
  const { key } = asked;
  if (key === undefined) return work();
  const request = requestOf(asked);
  const found = answerUnder(model, key);
  if (found !== undefined) return found.request === request ? found.answer : refuse('idempotency_key_reused');
  if (model.batches.some((batch) => batch.key === key && batch.state !== 'refused')) refuse('idempotency_key_reused');
  const answer = work();
  model.keys.set(key, { request, answer, at: model.now });
  return answer;
}

/** Applies a command to a copy of the model; returns the answer or the code of the refusal, and the model afterwards. A refusal and a dry run do not change it. */
export function applyCommand(before: Model, asked: CommandRequest, now: number): { readonly answer: string; readonly after: Model } {
  const { command, dryRun, ifMatch } = asked;
  const model = structuredClone(before);
  model.now = now;
  const check: Conditional = (noun, id) => {
    if (ifMatch !== undefined && rowsOf(model, noun, id).at(-1) !== ifMatch) refuse('precondition_failed');
  };
  try {
    // The key of an invalid request is not looked up.
    if (command.do === 'adjust' && command.units === 0) refuse('validation_failed');
    const answer = once(model, asked, () => perform(model, command, check));
    return { answer, after: dryRun ? before : model };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { answer: error.code, after: before };
  }
}
