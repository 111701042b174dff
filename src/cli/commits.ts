import { HintedError } from '../settings/hint.js';
import { StoreError } from '../domain/errors.js';
import type { Call } from '../domain/call.js';
import type { Shop } from '../domain/shop.js';
import type { Setup } from './program-setup.js';
import { ClosedPipe } from './io.js';

/** Something that a command has changed for good, and what shows it. */
interface Commit {
  /** The beginning of a sentence: "Batch 41 was applied". */
  readonly done: string;
  /** The words of the command that shows it. */
  readonly next: readonly string[];
}

/** The changes of one command, in case that its answer cannot be written. */
export interface Commits {
  readonly add: (commit: Commit) => void;
  readonly last: () => Commit | undefined;
}

/** No changes yet. */
export function noCommits(): Commits {
  let latest: Commit | undefined;
  return { add: (commit) => void (latest = commit), last: () => latest };
}

/** The file or the stream that a failed write names, and why it failed; undefined for any other error. */
function failedWrite(error: unknown): { readonly path: string; readonly code: string } | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return undefined;
  return typeof error.code === 'string' && typeof error.path === 'string' ? { path: error.path, code: error.code } : undefined;
}

/** A failed write of results, told as `output_failed` with what was changed before; any other error as it is. */
export function withCommit(error: unknown, commits: Commits, reasonOf: (code: string) => string): unknown {
  const failed = failedWrite(error);
  if (failed === undefined || error instanceof StoreError) return error;
  const commit = commits.last();
  const sentence = `${failed.path} ${reasonOf(failed.code)}`;
  if (commit !== undefined)
    return new HintedError('output_failed', `${commit.done}, but its result could not be written: ${sentence}.`, { command: commit.next });
  return failed.path.startsWith('Standard ') ? new StoreError('output_failed', `${sentence}.`) : error;
}

/** Calls back as before, but a call that fails neither stops the work nor comes again: `check` throws its error later. */
function deferred(): {
  readonly wrap: <A extends readonly unknown[]>(told: ((...values: A) => unknown) | undefined) => ((...values: A) => Promise<void>) | undefined;
  readonly check: () => void;
} {
  let failure: { readonly error: unknown } | undefined;
  return {
    wrap: (told) =>
      told &&
      (async (...values) => {
        if (failure !== undefined) return;
        try {
          await told(...values);
        } catch (error) {
          if (!(error instanceof ClosedPipe) && failedWrite(error) === undefined) throw error;
          failure = { error };
        }
      }),
    check: () => {
      if (failure !== undefined) throw failure.error;
    },
  };
}

const changed: Commit = { done: 'The change was made', next: ['log'] };

function appliedBatch(id: number | null): Commit {
  return { done: `Batch ${id} was applied`, next: ['inventory', 'batch', 'view', String(id)] };
}

/** A shop that notes what is changed in it. */
function notingShop(shop: Shop, { add }: Commits): Shop {
  const note = <T>(kept: boolean, answer: T, commit = changed): T => {
    if (kept) add(commit);
    return answer;
  };
  const call: Call = async (operation, input, options) =>
    note(operation.kind === 'write' && options?.dryRun !== true, await shop.call(operation, input, options));
  return {
    ...shop,
    call,
    callEach: async (operation, inputs, options) =>
      note(operation.kind === 'write' && options?.dryRun !== true, await shop.callEach(operation, inputs, options)),
    importPets: async (file, options) => {
      const { wrap, check } = deferred();
      const report = await shop.importPets(file, { ...options, onRejected: wrap(options.onRejected), onRow: wrap(options.onRow) });
      note(report.applied > 0 && report.batch !== null, report, appliedBatch(report.batch));
      check();
      return report;
    },
    importStock: async (file, options) => {
      const { wrap, check } = deferred();
      const told = { onRejected: wrap(options.onRejected), onRow: wrap(options.onRow), onChanges: wrap(options.onChanges) };
      const report = await shop.importStock(file, { ...options, ...told });
      note(report.applied > 0 && report.batch !== null, report, appliedBatch(report.batch));
      check();
      return report;
    },
    undoBatch: async (batchId, options) =>
      note(options?.dryRun !== true, await shop.undoBatch(batchId, options), {
        done: `Batch ${batchId} was undone`,
        next: ['log', '--batch', String(batchId)],
      }),
    tokens: {
      ...shop.tokens,
      create: async (draft, options) =>
        note(options?.dryRun !== true, await shop.tokens.create(draft, options), {
          done: `The token ${draft.name} was made`,
          next: ['token', 'revoke', draft.name, '--yes'],
        }),
      revoke: async (name, options) =>
        note(options?.dryRun !== true, await shop.tokens.revoke(name, options), { done: `The token ${name} was revoked`, next: ['token', 'list'] }),
    },
  };
}

/** Every way to a change, each of which is noted once it was made. */
export function notingCommits(setup: Setup, commits: Commits): Setup {
  const { housekeeping, configuration } = setup;
  const note = <T>(kept: boolean, answer: T, done: string, next: readonly string[] = ['status']): T => {
    if (kept) commits.add({ done, next });
    return answer;
  };
  const settings = 'The settings were changed';
  return {
    ...setup,
    open: async (wanted) => notingShop(await setup.open(wanted), commits),
    init: async (wanted, sample) => {
      const made = await setup.init(wanted, sample);
      return note(made.created || made.filled, made, 'The shop was set up');
    },
    copy: async (wanted, request) => note(!request.dryRun, await setup.copy(wanted, request), 'The shop was copied'),
    housekeeping: {
      backup: async (wanted, request) => note(true, await housekeeping.backup(wanted, request), 'The backup was written', ['restore', '--help']),
      restore: async (wanted, request) => note(!request.dryRun, await housekeeping.restore(wanted, request), 'The shop was restored'),
      doctor: async (wanted, request) => {
        const found = await housekeeping.doctor(wanted, request);
        return note(!request.dryRun && (found.repaired?.length ?? 0) > 0, found, 'The shop was repaired', ['doctor']);
      },
    },
    configuration: {
      ...configuration,
      set: (...given) => note(true, configuration.set(...given), settings, ['config', 'list']),
      saveProfile: (...given) => note(true, configuration.saveProfile(...given), settings, ['profile', 'list']),
      removeProfile: (...given) => note(true, configuration.removeProfile(...given), settings, ['profile', 'list']),
    },
  };
}
