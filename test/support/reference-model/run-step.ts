import { expect } from 'vitest';
import type { Adapter, AdapterKind } from '../adapters/adapter.js';
import { brokenRules } from '../invariants.js';
import type { TestShop } from '../test-shop.js';
import type { Step } from './arbitraries.js';
import { applyCommand, type CommandRequest, type Command } from './apply-command.js';
import { rowsOf, type Model } from './shop.js';
import { modelRows, storedRows, expectedView } from './stored-rows.js';

type Noun = 'pet' | 'order' | 'category';

/** The record in the path of a change, which can be made conditional. */
const subjects: { readonly [Do in Command['do']]?: Noun } = {
  'edit category': 'category',
  'replace category': 'category',
  'delete category': 'category',
  'edit pet': 'pet',
  'replace pet': 'pet',
  'delete pet': 'pet',
  hold: 'pet',
  release: 'pet',
  'add code': 'pet',
  set: 'pet',
  adjust: 'pet',
  'low at': 'pet',
  'edit order': 'order',
  cancel: 'order',
};

function subjectOf(command: Command): readonly [Noun, number] | undefined {
  const noun = subjects[command.do];
  return noun && [noun, (command as { readonly [Name in Noun]?: number })[noun] ?? 0];
}

/** The request of a step, given the model when it runs; undefined if there is nothing to repeat. */
function requestOf(model: Model, { command: given, dryRun, key: own, seen }: Step): CommandRequest | undefined {
  if (given.do === 'again') {
    const earlier = model.keys.get(given.key);
    return earlier && { command: JSON.parse(earlier.request) as Command, dryRun, key: given.key, ifMatch: undefined };
  }
  const command = given.do === 'import again' ? model.batches[given.batch - 1]?.file : given;
  if (command === undefined) return undefined;
  const subject = seen && subjectOf(command);
  const ifMatch = subject && (rowsOf(model, ...subject).at(seen === 'now' ? -1 : -2) ?? 0);
  // A file has its own key.
  return { command, dryRun, key: command.do === 'import stock' || command.do === 'import pets' ? undefined : own, ifMatch };
}

/** Runs one step on shop and model and expects the same answer and state; returns the new model. */
export async function runStep(shop: TestShop, adapter: Adapter, { cannotSend }: Pick<AdapterKind, 'cannotSend'>, model: Model, step: Step): Promise<Model> {
  shop.clock.pass(step.pass);
  const asked = requestOf(model, step);
  if (asked === undefined || cannotSend(asked)) return model;
  const { answer, after } = applyCommand(model, asked, shop.clock.now());
  expect(await adapter.send(asked)).toBe(answer);
  expect(await storedRows(shop)).toEqual(modelRows(after));
  expect(await adapter.observe()).toEqual(expectedView(after));
  expect(await brokenRules(shop)).toEqual([]);
  return after;
}
