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

/** Whether the arguments of a change ask for a dry run. */
function dryRunIn(args: readonly unknown[]): { readonly dryRun: boolean } {
  return { dryRun: args.some((one) => (one as { readonly dryRun?: boolean } | undefined)?.dryRun === true) };
}

/** The same function, whose changes are made by `make`. */
function guarded<Args extends readonly unknown[], T>(
  make: MakeChange,
  change: (...args: Args) => Promise<T>,
  commitOf: (result: T, ...args: Args) => Commit | undefined,
): (...args: Args) => Promise<T> {
  return (...args) =>
    make(
      dryRunIn(args),
      () => change(...args),
      (result) => commitOf(result, ...args),
    );
}

/** The same webhooks, whose changes are made by `make`. */
function guardedHooks({ create, edit, remove, rotate, resend }: Shop['hooks'], make: MakeChange): Shop['hooks'] {
  return {
    create: guarded(make, create, ({ hook }) => changedHook('created', hook.id)),
    edit: guarded(make, edit, (_, id) => changedHook('changed', id)),
    remove: guarded(make, remove, (_, id) => ({ done: `Hook ${id} was deleted`, next: ['hook', 'list'] })),
    rotate: guarded(make, rotate, (_, id) => ({ done: `Hook ${id} has a new secret`, next: ['hook', 'rotate', String(id), '--yes'] })),
    resend: guarded(make, resend, (_, id) => changedHook('moved', id)),
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
    undoBatch: guarded(make, shop.undoBatch, (_, id) => ({ done: `Batch ${id} was undone`, next: ['log', '--batch', String(id)] })),
    tokens: {
      ...tokens,
      create: guarded(make, tokens.create, (_, { name }) => ({ done: `The token ${name} was created`, next: ['token', 'revoke', name, '--yes'] })),
      revoke: guarded(make, tokens.revoke, (_, name) => ({ done: `The token ${name} was revoked`, next: ['token', 'list'] })),
    },
    sessions: { ...sessions, endEach: guarded(make, sessions.endEach, endedSessions) },
    hooks: guardedHooks(hooks, make),
    snapshot,
    follow,
    where,
    close,
  };
}

/** The same setup, which refuses every change of a shop with `store_read_only` where the settings allow only reads, and records what a command commits. */
export function guardedSetup(setup: Setup, commits: Commits): Setup {
  const { copy, maintenance, configuration } = setup;
  const changesOf = (settings: Settings): MakeChange => makeChanges(settings, commits);
  /** Guards a function by the settings, its first argument. */
  const bySettings =
    <Args extends readonly unknown[], T>(
      change: (settings: Settings, ...args: Args) => Promise<T>,
      commitOf: (result: T) => Commit | undefined,
      guards = (settings: Settings): Settings => settings,
    ) =>
    (settings: Settings, ...args: Args): Promise<T> =>
      changesOf(guards(settings))(dryRunIn(args), () => change(settings, ...args), commitOf);
  const saved = <T>(result: T, list: string): T => {
    commits.add({ done: 'The settings were changed', next: [list, 'list'] });
    return result;
  };
  const setUp = committed('The shop was set up', 'status');
  const repaired = committed('The shop was repaired', 'doctor');
  const repair = bySettings(maintenance.doctor, (found) => ((found.repaired?.length ?? 0) > 0 ? repaired() : undefined));
  return {
    ...setup,
    open: async (settings) => guardedShop(await setup.open(settings), changesOf(settings)),
    init: bySettings(setup.init, ({ created, filled }) => (created || filled ? setUp() : undefined)),
    // It changes another shop than that of the profile.
    copy: bySettings(copy, committed('The shop was copied', 'status'), (settings) =>
      settings.readOnly === 'profile' ? { ...settings, readOnly: undefined } : settings,
    ),
    hooks: { ...setup.hooks, deliver: bySettings(setup.hooks.deliver, () => undefined) },
    maintenance: {
      // A backup only reads the shop.
      backup: bySettings(maintenance.backup, committed('The backup was written', 'restore', '--help'), (settings) => ({ ...settings, readOnly: undefined })),
      restore: bySettings(maintenance.restore, committed('The shop was restored', 'status')),
      doctor: (settings, request) => (request.repair ? repair(settings, request) : maintenance.doctor(settings, request)),
    },
    configuration: {
      ...configuration,
      set: (...values) => saved(configuration.set(...values), 'config'),
      saveProfile: (...values) => saved(configuration.saveProfile(...values), 'profile'),
      removeProfile: (...values) => saved(configuration.removeProfile(...values), 'profile'),
    },
  };
}
