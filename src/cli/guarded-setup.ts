// What stands between a command and the shop, the only wrapper on that way. Each change passes, in this order: the refusal where the
// settings allow only reads, the shop itself, the record of what was committed.
import { openedReadOnly, StoreError } from '../domain/errors.js';
import type { Shop } from '../domain/shop.js';
import { HintedError } from '../settings/hint.js';
import type { Settings } from '../settings/settings.js';
import { sanitise } from './output/sanitise.js';
import type { Setup } from './program-setup.js';

/** Whether a command has made a change, for the case that its result cannot be written. */
export interface Commits {
  isMade: boolean;
  /** The command that shows what was changed. */
  shownBy: readonly string[];
}

/** The changes of a command that has made none. */
export const newCommits = (): Commits => ({ isMade: false, shownBy: ['log'] });

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

/** The refusal `output_failed` for a result that is lost although the change was made. */
export function afterChange({ shownBy }: Commits, problem: string): StoreError {
  return new HintedError('output_failed', `The change was made, but its result could not be ${problem}`, { command: shownBy });
}

/** The refusal `output_failed` for a failed write; returns any other error unchanged. */
export function withCommit(error: unknown, commits: Commits, reasonOf: (code: string) => string): unknown {
  const failed = failedWrite(error);
  if (failed === undefined || error instanceof StoreError) return error;
  const sentence = `${failed.path} ${reasonOf(failed.code)}.`;
  if (commits.isMade) return afterChange(commits, `written: ${sentence}`);
  return failed.path.startsWith('Standard ') ? new StoreError('output_failed', sentence) : error;
}

/** Makes a change unless it is refused; `isChange` says whether its result is one. */
type MakeChange = <T>(options: { readonly dryRun?: boolean | undefined } | undefined, run: () => Promise<T>, isChange?: (result: T) => boolean) => Promise<T>;

/** Whether a change is refused. A dry run writes and rolls back, which a profile allows and PETSTORE_READ_ONLY does not. */
export function isRefused({ readOnly }: Settings, dryRun: boolean): boolean {
  return readOnly === 'variable' || (readOnly === 'profile' && !dryRun);
}

/** Refuses changes with `store_read_only` where the settings allow only reads, and records the others. A dry run makes none. */
function makeChanges(settings: Settings, commits: Commits): MakeChange {
  return async (options, run, isChange = () => true) => {
    const dryRun = options?.dryRun === true;
    if (isRefused(settings, dryRun)) throw readOnlyRefusal(settings);
    const result = await run();
    if (!dryRun && isChange(result)) commits.isMade = true;
    return result;
  };
}

const hasApplied = ({ applied }: { readonly applied: number }): boolean => applied > 0;

/**
 * The same shop, whose changes are made by `make`. It lists every member of a shop: a new one does not compile until somebody has
 * decided whether it writes.
 */
function guardedShop(shop: Shop, make: MakeChange): Shop {
  const { snapshot, tokens, sessions, hooks, follow, changeMark, where, close } = shop;
  return {
    call: async (operation, input, options) => {
      const run = () => shop.call(operation, input, options);
      return operation.kind === 'write' ? make(options, run) : run();
    },
    callEach: async (operation, inputs, options) => {
      const run = () => shop.callEach(operation, inputs, options);
      return operation.kind === 'write' ? make(options, run) : run();
    },
    importPets: (file, options) => make(options, () => shop.importPets(file, options), hasApplied),
    importCodes: (file, options) => make(options, () => shop.importCodes(file, options), hasApplied),
    importStock: (file, options) => make(options, () => shop.importStock(file, options), hasApplied),
    undoBatch: (batchId, options) => make(options, () => shop.undoBatch(batchId, options)),
    tokens: {
      ...tokens,
      create: (draft, options) => make(options, () => tokens.create(draft, options)),
      revoke: (name, options) => make(options, () => tokens.revoke(name, options)),
    },
    sessions: { ...sessions, endEach: (choice, options) => make(options, () => sessions.endEach(choice, options)) },
    hooks: {
      create: (draft, options) => make(options, () => hooks.create(draft, options)),
      edit: (id, changed, options) => make(options, () => hooks.edit(id, changed, options)),
      remove: (id, options) => make(options, () => hooks.remove(id, options)),
      rotate: (id, secret, options) => make(options, () => hooks.rotate(id, secret, options)),
      resend: (id, from, options) => make(options, () => hooks.resend(id, from, options)),
    },
    snapshot,
    follow,
    changeMark,
    where,
    close,
  };
}

/** Makes changes that are not recorded: their results say no more than a second call would. */
const unrecorded = (settings: Settings): MakeChange => makeChanges(settings, newCommits());

/** The same setup, which refuses every change of a shop with `store_read_only` where the settings allow only reads, and records that a command made one. */
export function guardedSetup(setup: Setup, commits: Commits): Setup {
  const { maintenance, hooks } = setup;
  return {
    ...setup,
    open: async (settings) => guardedShop(await setup.open(settings), makeChanges(settings, commits)),
    init: (settings, sample) => unrecorded(settings)({}, () => setup.init(settings, sample)),
    // A read-only profile is about its own shop; whether that is the target is checked there.
    copy: async (settings, request) => {
      if (settings.readOnly === 'variable') throw readOnlyRefusal(settings);
      return setup.copy(settings, request);
    },
    hooks: { ...hooks, deliver: (settings, once, onSent) => unrecorded(settings)({}, () => hooks.deliver(settings, once, onSent)) },
    maintenance: {
      // A backup only reads the shop.
      backup: maintenance.backup,
      restore: (settings, request) => makeChanges(settings, commits)(request, () => maintenance.restore(settings, request)),
      doctor: (settings, request) => {
        const run = () => maintenance.doctor(settings, request);
        return request.repair ? unrecorded(settings)(request, run) : run();
      },
    },
  };
}
