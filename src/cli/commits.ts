import { HintedError } from '../settings/hint.js';
import { StoreError } from '../domain/errors.js';
import type { Shop } from '../domain/shop.js';
import type { Setup } from './program-setup.js';
import { ClosedPipeError } from './io.js';
import { withChanges, type Commit } from './shop-changes.js';

/** The changes that a command has committed, for the case that its result cannot be written. */
export interface Commits {
  readonly add: (commit: Commit) => void;
  readonly last: () => Commit | undefined;
}

/** A record of changes, empty at first. */
export function newCommits(): Commits {
  let latest: Commit | undefined;
  return { add: (commit) => void (latest = commit), last: () => latest };
}

/** The path and the code of a failed write; undefined for any other error. */
function failedWrite(error: unknown): { readonly path: string; readonly code: string } | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return undefined;
  return typeof error.code === 'string' && typeof error.path === 'string' ? { path: error.path, code: error.code } : undefined;
}

/** The refusal `output_failed` for a failed write, naming the last commit; returns any other error unchanged. */
export function withCommit(error: unknown, commits: Commits, reasonOf: (code: string) => string): unknown {
  const failed = failedWrite(error);
  if (failed === undefined || error instanceof StoreError) return error;
  const commit = commits.last();
  const sentence = `${failed.path} ${reasonOf(failed.code)}`;
  if (commit !== undefined)
    return new HintedError('output_failed', `${commit.done}, but its result could not be written: ${sentence}.`, { command: commit.next });
  return failed.path.startsWith('Standard ') ? new StoreError('output_failed', `${sentence}.`) : error;
}

/**
 * Wraps callbacks that write, so that a failed write does not stop the import: after a failure they are not called again,
 * and `check` throws the first error.
 */
function deferredFailures(): {
  readonly wrap: <A extends readonly unknown[]>(callback: ((...values: A) => unknown) | undefined) => ((...values: A) => Promise<void>) | undefined;
  readonly check: () => void;
} {
  let failure: { readonly error: unknown } | undefined;
  return {
    wrap: (callback) =>
      callback &&
      (async (...values) => {
        if (failure !== undefined) return;
        try {
          await callback(...values);
        } catch (error) {
          if (!(error instanceof ClosedPipeError) && failedWrite(error) === undefined) throw error;
          failure = { error };
        }
      }),
    check: () => {
      if (failure !== undefined) throw failure.error;
    },
  };
}

/** The same shop, whose imports run to their end even if what they write along the way cannot be written. */
function withLateFailures(shop: Shop): Shop {
  return {
    ...shop,
    importPets: async (file, options) => {
      const { wrap, check } = deferredFailures();
      const report = await shop.importPets(file, { ...options, onRejected: wrap(options.onRejected), onRow: wrap(options.onRow) });
      check();
      return report;
    },
    importStock: async (file, options) => {
      const { wrap, check } = deferredFailures();
      const callbacks = { onRejected: wrap(options.onRejected), onRow: wrap(options.onRow), onChanges: wrap(options.onChanges) };
      const report = await shop.importStock(file, { ...options, ...callbacks });
      check();
      return report;
    },
  };
}

/** The same shop, which records its changes. */
function recordingShop(shop: Shop, { add }: Commits): Shop {
  const recording = withChanges(shop, async ({ isDryRun, run, commitOf }) => {
    const result = await run();
    const commit = isDryRun ? undefined : commitOf(result);
    if (commit !== undefined) add(commit);
    return result;
  });
  return withLateFailures(recording);
}

/** The same setup, which records every change that a command commits. */
export function recordCommits(setup: Setup, commits: Commits): Setup {
  const { maintenance, configuration } = setup;
  const record = <T>(isCommitted: boolean, result: T, done: string, next: readonly string[] = ['status']): T => {
    if (isCommitted) commits.add({ done, next });
    return result;
  };
  const settingsChanged = 'The settings were changed';
  return {
    ...setup,
    open: async (settings) => recordingShop(await setup.open(settings), commits),
    init: async (settings, sample) => {
      const made = await setup.init(settings, sample);
      return record(made.created || made.filled, made, 'The shop was set up');
    },
    copy: async (settings, request) => record(!request.dryRun, await setup.copy(settings, request), 'The shop was copied'),
    maintenance: {
      backup: async (settings, request) => record(true, await maintenance.backup(settings, request), 'The backup was written', ['restore', '--help']),
      restore: async (settings, request) => record(!request.dryRun, await maintenance.restore(settings, request), 'The shop was restored'),
      doctor: async (settings, request) => {
        const found = await maintenance.doctor(settings, request);
        return record(!request.dryRun && (found.repaired?.length ?? 0) > 0, found, 'The shop was repaired', ['doctor']);
      },
    },
    configuration: {
      ...configuration,
      set: (...values) => record(true, configuration.set(...values), settingsChanged, ['config', 'list']),
      saveProfile: (...values) => record(true, configuration.saveProfile(...values), settingsChanged, ['profile', 'list']),
      removeProfile: (...values) => record(true, configuration.removeProfile(...values), settingsChanged, ['profile', 'list']),
    },
  };
}
