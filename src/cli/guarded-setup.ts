// What stands between a command and the shop, the only wrapper on that way. Each change passes, in this order: the refusal where the
// settings allow only reads, the shop itself, the record of what was committed. An import that cannot write along the way fails at its end.
import { openedReadOnly, StoreError } from '../domain/errors.js';
import type { Shop } from '../domain/shop.js';
import { pluralize } from '../domain/values/text.js';
import { HintedError } from '../settings/hint.js';
import type { Settings } from '../settings/settings.js';
import { ClosedPipeError } from './io.js';
import { sanitise } from './output/sanitise.js';
import type { Setup } from './program-setup.js';

/** A committed change. */
export interface Commit {
  /** The beginning of a sentence: "Batch 41 was applied". */
  readonly done: string;
  /** The command that shows the change, as its words. */
  readonly next: readonly string[];
}

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

/** The refusal of a change where the settings allow only reads. */
export function readOnlyRefusal({ readOnly, profile = '', where }: Settings): StoreError {
  if (readOnly === 'variable') return openedReadOnly(`PETSTORE_READ_ONLY is set; the shop at ${sanitise(where)} was not changed.`);
  return new StoreError('store_read_only', `The profile ${profile} is read-only; the shop at ${sanitise(where)} was not changed.`, {
    advice: 'Use another profile with -P, or preview with --dry-run.',
  });
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

/** Makes a change unless it is refused; `commitOf` says what it has committed, undefined for nothing. A dry run commits nothing. */
type MakeChange = <T>(
  options: { readonly dryRun?: boolean | undefined } | undefined,
  run: () => Promise<T>,
  commitOf: (result: T) => Commit | undefined,
) => Promise<T>;

/** Whether a change is refused. A dry run writes and rolls back, which a profile allows and PETSTORE_READ_ONLY does not. */
export function isRefused({ readOnly }: Settings, dryRun: boolean): boolean {
  return readOnly === 'variable' || (readOnly === 'profile' && !dryRun);
}

/** Refuses changes with `store_read_only` where the settings allow only reads, and records the others. */
function makeChanges(settings: Settings, commits: Commits): MakeChange {
  return async (options, run, commitOf) => {
    const dryRun = options?.dryRun === true;
    if (isRefused(settings, dryRun)) throw readOnlyRefusal(settings);
    if (dryRun) return run();
    const result = await run();
    const commit = commitOf(result);
    if (commit !== undefined) commits.add(commit);
    return result;
  };
}

type Callback<A extends readonly unknown[]> = ((...values: A) => unknown) | undefined;

/**
 * Runs an import to its end even if what it writes along the way cannot be written: after a failure the wrapped callbacks are not
 * called again, and the first error is thrown at the end.
 */
async function withLateFailure<T>(run: (late: <A extends readonly unknown[]>(callback: Callback<A>) => Callback<A>) => Promise<T>): Promise<T> {
  let failure: { readonly error: unknown } | undefined;
  const report = await run(
    (callback) =>
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
  );
  if (failure !== undefined) throw failure.error;
  return report;
}

/** What a change has committed, whatever its result is. */
function committed(done: string, ...next: readonly string[]): () => Commit {
  return () => ({ done, next });
}

const changed = committed('The change was made', 'log');

function appliedBatch({ batch, applied }: { readonly batch: number | null; readonly applied: number }): Commit | undefined {
  if (applied === 0 || batch === null) return undefined;
  return { done: `Batch ${batch} was applied`, next: ['inventory', 'batch', 'view', String(batch)] };
}

function endedSessions({ length }: readonly unknown[]): Commit | undefined {
  return length === 0 ? undefined : { done: `${pluralize(length, 'session')} ended`, next: ['session', 'list'] };
}

/** A committed change of a hook. */
function changedHook(verb: string, id: number): Commit {
  return { done: `Hook ${id} was ${verb}`, next: ['hook', 'view', String(id)] };
}

/** The same webhooks, whose changes are made by `make`. */
function guardedHooks(hooks: Shop['hooks'], make: MakeChange): Shop['hooks'] {
  return {
    create: (draft, options) =>
      make(
        options,
        () => hooks.create(draft, options),
        ({ hook: { id } }) => changedHook('created', id),
      ),
    edit: (id, change, options) =>
      make(
        options,
        () => hooks.edit(id, change, options),
        () => changedHook('changed', id),
      ),
    remove: (id, options) =>
      make(
        options,
        () => hooks.remove(id, options),
        () => ({ done: `Hook ${id} was deleted`, next: ['hook', 'list'] }),
      ),
    rotate: (id, secret, options) =>
      make(
        options,
        () => hooks.rotate(id, secret, options),
        () => ({ done: `Hook ${id} has a new secret`, next: ['hook', 'rotate', String(id), '--yes'] }),
      ),
    resend: (id, from, options) =>
      make(
        options,
        () => hooks.resend(id, from, options),
        () => changedHook('moved', id),
      ),
  };
}

/**
 * The same shop, whose changes are made by `make`. It lists every member of a shop: a new one does not compile until somebody has
 * decided whether it writes.
 */
function guardedShop(shop: Shop, make: MakeChange): Shop {
  const { snapshot, tokens, sessions, hooks, follow, where, close } = shop;
  return {
    call: async (operation, input, options) => {
      const run = () => shop.call(operation, input, options);
      return operation.kind === 'write' ? make(options, run, changed) : run();
    },
    callEach: async (operation, inputs, options) => {
      const run = () => shop.callEach(operation, inputs, options);
      return operation.kind === 'write' ? make(options, run, changed) : run();
    },
    importPets: (file, options) =>
      withLateFailure((late) => {
        const callbacks = { onRejected: late(options.onRejected), onRow: late(options.onRow) };
        return make(options, () => shop.importPets(file, { ...options, ...callbacks }), appliedBatch);
      }),
    importCodes: (file, options) =>
      withLateFailure((late) => make(options, () => shop.importCodes(file, { ...options, onRejected: late(options.onRejected) }), appliedBatch)),
    importStock: (file, options) =>
      withLateFailure((late) => {
        const callbacks = { onRejected: late(options.onRejected), onRow: late(options.onRow), onChanges: late(options.onChanges) };
        return make(options, () => shop.importStock(file, { ...options, ...callbacks }), appliedBatch);
      }),
    undoBatch: (id, options) => make(options, () => shop.undoBatch(id, options), committed(`Batch ${id} was undone`, 'log', '--batch', String(id))),
    tokens: {
      ...tokens,
      create: (draft, options) => {
        const { name } = draft;
        return make(options, () => tokens.create(draft, options), committed(`The token ${name} was created`, 'token', 'revoke', name, '--yes'));
      },
      revoke: (name, options) => make(options, () => tokens.revoke(name, options), committed(`The token ${name} was revoked`, 'token', 'list')),
    },
    sessions: { ...sessions, endEach: (choice, options) => make(options, () => sessions.endEach(choice, options), endedSessions) },
    hooks: guardedHooks(hooks, make),
    snapshot,
    follow,
    where,
    close,
  };
}

/** The same setup, which refuses every change of a shop with `store_read_only` where the settings allow only reads, and records what a command commits. */
export function guardedSetup(setup: Setup, commits: Commits): Setup {
  const { init, copy, maintenance, configuration } = setup;
  const changesOf = (settings: Settings): MakeChange => makeChanges(settings, commits);
  const saved = <T>(result: T, list: string): T => {
    commits.add({ done: 'The settings were changed', next: [list, 'list'] });
    return result;
  };
  const setUp = committed('The shop was set up', 'status');
  const repaired = committed('The shop was repaired', 'doctor');
  return {
    ...setup,
    open: async (settings) => guardedShop(await setup.open(settings), changesOf(settings)),
    init: (settings, sample) =>
      changesOf(settings)(
        {},
        () => init(settings, sample),
        ({ created, filled }) => (created || filled ? setUp() : undefined),
      ),
    // It changes another shop than that of the profile.
    copy: (settings, request) =>
      changesOf(settings.readOnly === 'profile' ? { ...settings, readOnly: undefined } : settings)(
        request,
        () => copy(settings, request),
        committed('The shop was copied', 'status'),
      ),
    hooks: {
      ...setup.hooks,
      deliver: (settings, once, onSent) =>
        changesOf(settings)(
          {},
          () => setup.hooks.deliver(settings, once, onSent),
          () => undefined,
        ),
    },
    maintenance: {
      // A backup only reads the shop.
      backup: (settings, request) =>
        changesOf({ ...settings, readOnly: undefined })(
          {},
          () => maintenance.backup(settings, request),
          committed('The backup was written', 'restore', '--help'),
        ),
      restore: (settings, request) => changesOf(settings)(request, () => maintenance.restore(settings, request), committed('The shop was restored', 'status')),
      doctor: async (settings, request) => {
        const run = () => maintenance.doctor(settings, request);
        return request.repair ? changesOf(settings)(request, run, (found) => ((found.repaired?.length ?? 0) > 0 ? repaired() : undefined)) : run();
      },
    },
    configuration: {
      ...configuration,
      set: (...values) => saved(configuration.set(...values), 'config'),
      saveProfile: (...values) => saved(configuration.saveProfile(...values), 'profile'),
      removeProfile: (...values) => saved(configuration.removeProfile(...values), 'profile'),
    },
  };
}
