import { exitCodes } from '../../../src/cli/exit-codes.js';
import { expect } from 'vitest';
import type { ErrorCode } from '../../../src/domain/errors.js';
import { runCommandLine, setupOf, type CommandResult } from '../cli.js';
import { textOf, type PetFile, type StockFile } from '../reference-model/imports.js';
import type { CommandRequest, Command } from '../reference-model/apply-command.js';
import { created, done } from '../reference-model/shop.js';
import { countsOf, lookUpCommand, makes, type AdapterKind, type CommandTable, type ReportFields } from './adapter.js';

type Words = readonly string[];

/** A flag with its value, if there is one. */
function flag(name: string, value: string | number | null | undefined): Words {
  return value === undefined ? [] : [`--${name}`, String(value ?? '')];
}

function toggle(name: string, wanted: boolean | undefined): Words {
  return wanted === true ? [`--${name}`] : [];
}

function importWords({ keepGoing, maxErrors, fileKey }: StockFile | PetFile): Words {
  return ['-', '--input-format', 'csv', ...toggle('keep-going', keepGoing), ...flag('max-errors', maxErrors), ...flag('key', fileKey)];
}

const petWords = { name: 'name', category: 'category', status: 'status' } as const;

/** Every command as words of the command line. */
const lines: CommandTable<Words> = {
  'create category': ({ name, description }) => ['category', 'create', ...flag('name', name), ...flag('description', description)],
  'edit category': ({ category, name, description }) => ['category', 'edit', `${category}`, ...flag('name', name), ...flag('description', description)],
  'replace category': () => [],
  'delete category': ({ category, moveTo }) => ['category', 'delete', `${category}`, ...flag('move-to', moveTo), '--yes'],
  'create pet': ({ name, category, quantity, status }) => [
    'pet',
    'create',
    ...flag('name', name),
    ...flag('category', category),
    ...flag('quantity', quantity),
    ...flag('status', status),
  ],
  'edit pet': (command) => ['pet', 'edit', `${command.pet}`, ...Object.values(petWords).flatMap((name) => flag(name, command[name]))],
  'replace pet': () => [],
  'delete pet': ({ pet }) => ['pet', 'delete', `${pet}`, '--yes'],
  hold: ({ pet }) => ['pet', 'hold', `${pet}`],
  release: ({ pet }) => ['pet', 'release', `${pet}`],
  'add code': ({ pet, code, units }) => ['code', 'add', `${pet}`, code, ...flag('units', units)],
  'remove code': ({ code }) => ['code', 'remove', code],
  set: ({ pet, units, expect: expected, allowShortage }) => [
    'inventory',
    'set',
    `${pet}`,
    `${units}`,
    ...flag('expect', expected),
    ...toggle('allow-shortage', allowShortage),
  ],
  adjust: ({ pet, units, allowShortage }) => ['inventory', 'adjust', `${pet}`, `${units}`, ...toggle('allow-shortage', allowShortage)],
  'low at': ({ pet, level }) => ['inventory', 'low-at', `${pet}`, `${level ?? 'none'}`],
  'low default': ({ level }) => ['inventory', 'low-at', '--default', `${level ?? 'none'}`],
  'undo entry': ({ entry, allowShortage }) => ['inventory', 'undo', '--entry', `${entry}`, ...toggle('allow-shortage', allowShortage)],
  place: ({ pet, quantity, ship, complete }) => [
    'order',
    'place',
    ...flag('pet', pet),
    ...flag('quantity', quantity),
    ...flag('ship-date', ship),
    ...toggle('complete', complete),
  ],
  'edit order': ({ order, pet, quantity, ship, complete }) =>
    complete === undefined
      ? ['order', 'edit', `${order}`, ...flag('pet', pet), ...flag('quantity', quantity), ...flag('ship-date', ship)]
      : ['order', complete ? 'complete' : 'reopen', `${order}`],
  cancel: ({ order }) => ['order', 'cancel', `${order}`],
  several: ({ verb, ids }) => {
    const [noun, word] = verb === 'complete' || verb === 'reopen' || verb === 'cancel' ? ['order', verb] : ['pet', verb.replace(' pet', '')];
    return [noun, word, ...ids.map(String), ...toggle('yes', verb === 'delete pet')];
  },
  'import stock': (file) => ['inventory', 'import', ...importWords(file), ...flag('on-stale', file.onStale), ...toggle('allow-shortage', file.allowShortage)],
  'import pets': (file) => ['pet', 'import', ...importWords(file)],
  'start count': ({ category }) => ['count', 'start', ...flag('category', category)],
  'count lines': ({ count, lines: [line] }) =>
    line === undefined
      ? []
      : ['count', 'add', `${count}`, `${line.pet}`, `${line.adds ? '+' : ''}${line.number}`, ...toggle('also', line.also), ...flag('key', line.lineKey)],
  'undo line': ({ count, line }) => ['count', 'undo', `${count}`, `${line}`],
  'close count': ({ count, missing, keepGoing, allowShortage }) => [
    'count',
    'close',
    `${count}`,
    ...flag('missing', missing),
    ...toggle('keep-going', keepGoing),
    ...toggle('allow-shortage', allowShortage),
    '--yes',
  ],
  'cancel count': ({ count }) => ['count', 'cancel', `${count}`, '--yes'],
  'undo batch': ({ batch, allowShortage }) => ['inventory', 'undo', `${batch}`, ...toggle('allow-shortage', allowShortage), '--yes'],
};

const unsupported: readonly Command['do'][] = ['replace category', 'replace pet'];

/** The commands that look at a count before they look up the key. */
const lookFirst: ReadonlySet<Command['do']> = new Set(['start count', 'count lines', 'undo line', 'close count', 'cancel count']);

/** Whether a request cannot be expressed as one command line. */
function cannotSend({ command, key, ifMatch }: CommandRequest): boolean {
  if (ifMatch !== undefined) return true;
  if (unsupported.includes(command.do)) return true;
  if (command.do === 'count lines' && command.lines.length !== 1) return true;
  if (lookFirst.has(command.do)) return key !== undefined;
  // For a missing batch the command fails before it looks up the key.
  if (command.do === 'undo batch') return key !== undefined;
  if (command.do === 'edit category') return command.name === undefined && command.description === undefined;
  if (command.do === 'edit pet') return command.name === undefined && command.category === undefined && command.status === undefined;
  if (command.do !== 'edit order') return false;
  const edits = [command.pet, command.quantity, command.ship];
  return edits.includes(null) || edits.some((value) => value !== undefined) === (command.complete !== undefined);
}

/** The exit code of an import: depends on whether rows were refused, whether all were, and whether only by conflicts with the shop. */
function importExit({ do: verb }: Command, { applied, unchanged, alreadyApplied = 0, errors }: ReportFields): number {
  if (errors.length === 0) return 0;
  if (applied + unchanged + alreadyApplied > 0) return 5;
  return verb === 'import stock' && errors.every(({ code }) => exitCodes[code] === 4) ? 4 : 6;
}

function saidBy(command: Command, { exitCode, stdout, stderr }: CommandResult): string {
  if (stdout === '') {
    const { code } = (JSON.parse(stderr) as { readonly error: { readonly code: ErrorCode } }).error;
    expect(exitCode).toBe(exitCodes[code]);
    // A missing pet is one of the arguments of the command.
    return command.do === 'count lines' && code === 'pet_not_found' ? 'unknown_pet' : code;
  }
  const answer = JSON.parse(stdout) as ReportFields & { readonly id: number; readonly rejected?: number };
  if (command.do === 'import stock' || command.do === 'import pets') {
    expect(exitCode).toBe(importExit(command, answer));
    return countsOf(answer);
  }
  // A count that was closed with --keep-going may have left some pets as they were.
  expect(exitCode).toBe(command.do === 'close count' && (answer.rejected ?? 0) > 0 ? 5 : 0);
  return makes(command) ? created(answer.id) : done;
}

interface Row {
  readonly petId: number;
  readonly quantity: number;
  readonly status: string;
}

/** The command line, run in this process. */
export const commandLineAdapter: AdapterKind = {
  name: 'the command line',
  unsupported,
  cannotSend,
  connect: ({ shop, clock }) => {
    // The test shop stays open after a command.
    const setup = { ...setupOf(clock.now), open: async () => ({ ...shop, close: async () => undefined }) };
    const type = (words: Words, stdin = ''): Promise<CommandResult> =>
      runCommandLine(words, { stdin, environment: { PETSTORE_STORE: 'shop.db' } }, setup, clock.now);
    const list = async (...flags: Words): Promise<readonly Row[]> =>
      JSON.parse((await type(['inventory', 'list', '--json', 'petId,quantity,status', ...flags])).stdout) as readonly Row[];
    return {
      send: async ({ command, dryRun, key }) => {
        const words = [...lookUpCommand(lines, command), ...toggle('dry-run', dryRun), ...flag('key', key), '--json'];
        const isFile = command.do === 'import stock' || command.do === 'import pets';
        return saidBy(command, await type(words, isFile ? textOf(command) : ''));
      },
      observe: async () => ({
        pets: (await list()).map(({ petId, quantity, status }) => [petId, quantity, status]),
        low: (await list('--low')).map(({ petId }) => petId),
      }),
    };
  },
};
