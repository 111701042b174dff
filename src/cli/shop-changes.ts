import type { Call } from '../domain/call.js';
import type { Shop } from '../domain/shop.js';
import { pluralize } from '../domain/values/text.js';

/** A committed change. */
export interface Commit {
  /** The beginning of a sentence: "Batch 41 was applied". */
  readonly done: string;
  /** The command that shows the change, as its words. */
  readonly next: readonly string[];
}

/** A change of a shop that a command asks for. */
interface Change<T> {
  readonly isDryRun: boolean;
  readonly run: () => Promise<T>;
  /** What it has committed, unless it is a dry run; undefined for nothing. */
  readonly commitOf: (result: T) => Commit | undefined;
}

/** Makes a change, or refuses it. */
type MakeChange = <T>(change: Change<T>) => Promise<T>;

const changed: Commit = { done: 'The change was made', next: ['log'] };

function appliedBatch({ batch, applied }: { readonly batch: number | null; readonly applied: number }): Commit | undefined {
  if (applied === 0 || batch === null) return undefined;
  return { done: `Batch ${batch} was applied`, next: ['inventory', 'batch', 'view', String(batch)] };
}

function isDryRun(options: { readonly dryRun?: boolean | undefined } | undefined): boolean {
  return options?.dryRun === true;
}

/**
 * The same shop, whose changes are made by `make`. It lists every member of a shop: a new one does not compile until somebody has
 * decided whether it writes.
 */
export function withChanges(shop: Shop, make: MakeChange): Shop {
  const { snapshot, tokens, sessions, follow, where, close } = shop;
  const call: Call = async (operation, input, options) => {
    const run = () => shop.call(operation, input, options);
    return operation.kind === 'write' ? make({ isDryRun: isDryRun(options), run, commitOf: () => changed }) : run();
  };
  return {
    call,
    callEach: async (operation, inputs, options) => {
      const run = () => shop.callEach(operation, inputs, options);
      return operation.kind === 'write' ? make({ isDryRun: isDryRun(options), run, commitOf: () => changed }) : run();
    },
    importPets: async (file, options) => make({ isDryRun: isDryRun(options), run: () => shop.importPets(file, options), commitOf: appliedBatch }),
    importStock: async (file, options) => make({ isDryRun: isDryRun(options), run: () => shop.importStock(file, options), commitOf: appliedBatch }),
    undoBatch: async (batchId, options) =>
      make({
        isDryRun: isDryRun(options),
        run: () => shop.undoBatch(batchId, options),
        commitOf: () => ({ done: `Batch ${batchId} was undone`, next: ['log', '--batch', String(batchId)] }),
      }),
    tokens: {
      ...tokens,
      create: async (draft, options) =>
        make({
          isDryRun: isDryRun(options),
          run: () => tokens.create(draft, options),
          commitOf: () => ({ done: `The token ${draft.name} was created`, next: ['token', 'revoke', draft.name, '--yes'] }),
        }),
      revoke: async (name, options) =>
        make({
          isDryRun: isDryRun(options),
          run: () => tokens.revoke(name, options),
          commitOf: () => ({ done: `The token ${name} was revoked`, next: ['token', 'list'] }),
        }),
    },
    snapshot,
    sessions: {
      ...sessions,
      endEach: async (choice, options) =>
        make({
          isDryRun: isDryRun(options),
          run: () => sessions.endEach(choice, options),
          commitOf: ({ length }) => (length === 0 ? undefined : { done: `${pluralize(length, 'session')} ended`, next: ['session', 'list'] }),
        }),
    },
    follow,
    where,
    close,
  };
}
