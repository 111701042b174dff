import { categoryRules, type CategoryCommand } from './categories.js';
import { importRules, type ImportCommand } from './imports.js';
import { orderRules, type OrderCommand } from './orders.js';
import { petRules, type PetCommand } from './pets.js';
import { answerUnder, done, refuse, Refused, rowsOf, type Model } from './shop.js';
import { stockRules, type StockCommand } from './stock.js';

/** What can be asked for several records at once. */
export type SeveralVerb = 'hold' | 'release' | 'delete pet' | 'complete' | 'reopen' | 'cancel';

/** One change of several records, of all or none. */
export interface Several {
  readonly do: 'several';
  readonly verb: SeveralVerb;
  readonly ids: readonly number[];
}

/** What is asked of the shop; records are named by their ids, which may be of nothing. */
export type Command = CategoryCommand | PetCommand | StockCommand | OrderCommand | ImportCommand | Several;

/** A command with what is said about it besides. */
export interface CommandRequest {
  readonly command: Command;
  readonly dryRun: boolean;
  readonly key: string | undefined;
  /** The version the record must still have. */
  readonly ifMatch: number | undefined;
}

/** Refuses to go on where the record is not at the version that was seen. */
export type Conditional = (noun: 'pet' | 'order' | 'category', id: number) => void;

/** What the rules say to each command, which they do to the model; a refusal may leave it half changed. */
export type Rules<Each extends { readonly do: string }> = {
  readonly [Do in Each['do']]: (model: Model, command: Each & { readonly do: Do }, check: Conditional) => string;
};

/** A single command of one that is for several records. */
function singleCommand(verb: SeveralVerb, id: number): Command {
  if (verb === 'complete' || verb === 'reopen') {
    return { do: 'edit order', order: id, pet: undefined, quantity: undefined, ship: undefined, complete: verb === 'complete' };
  }
  return verb === 'cancel' ? { do: verb, order: id } : { do: verb, pet: id };
}

const rules: Rules<Command> = {
  ...categoryRules,
  ...petRules,
  ...stockRules,
  ...orderRules,
  ...importRules,
  several: (model, { verb, ids }) => {
    for (const id of ids) perform(model, singleCommand(verb, id), () => undefined);
    return done;
  },
};

function perform(model: Model, command: Command, check: Conditional): string {
  return (rules[command.do] as (model: Model, command: Command, check: Conditional) => string)(model, command, check);
}

/** The same request again is known by this. */
function requestOf({ command }: CommandRequest): string {
  // To accept a shortage or not makes no other request of an undo.
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

/** What the rules say to a command: what it came to, or the code of the refusal. A refusal and a dry run leave the model as it was. */
export function applyCommand(before: Model, asked: CommandRequest, now: number): { readonly answer: string; readonly after: Model } {
  const { command, dryRun, ifMatch } = asked;
  const model = structuredClone(before);
  model.now = now;
  const check: Conditional = (noun, id) => {
    if (ifMatch !== undefined && rowsOf(model, noun, id).at(-1) !== ifMatch) refuse('precondition_failed');
  };
  try {
    // Nobody looks up the key of a request that makes no sense.
    if (command.do === 'adjust' && command.units === 0) refuse('validation_failed');
    const answer = once(model, asked, () => perform(model, command, check));
    return { answer, after: dryRun ? before : model };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { answer: error.code, after: before };
  }
}
