import type { Step } from './arbitraries.js';

type Command = Step['command'];

const file = { keepGoing: false, maxErrors: undefined, fileKey: undefined } as const;

/** One of every command, each accepted after the opening and the commands before it. */
const commands: { readonly [Do in Command['do']]: Omit<Command & { readonly do: Do }, 'do'> & { readonly key?: string } } = {
  adjust: { pet: 1, units: 1, allowShortage: false },
  // The entry of the adjustment, after seven entries of the opening.
  'undo entry': { entry: 8, allowShortage: false },
  'create category': { name: 'Birds', description: undefined },
  'edit category': { category: 1, name: undefined, description: 'All breeds' },
  'replace category': { category: 2, name: 'cats', description: undefined },
  'create pet': { name: 'Rex', category: 3, quantity: undefined, status: undefined },
  'edit pet': { pet: 1, name: 'Bella', category: undefined, status: undefined },
  'replace pet': { pet: 2, name: 'Rex', category: 2, status: undefined },
  hold: { pet: 2 },
  release: { pet: 2 },
  'add code': { pet: 3, code: '4006381333931', units: 1 },
  'remove code': { code: '04006381333931' },
  'delete pet': { pet: 3 },
  'delete category': { category: 3, moveTo: undefined },
  // A shortage, because three are reserved.
  set: { pet: 1, units: 1, expect: undefined, allowShortage: true },
  'low default': { level: 1 },
  'low at': { pet: 1, level: 3 },
  place: { pet: 2, quantity: undefined, ship: undefined, complete: false, key: 'first' },
  again: { key: 'first' },
  'edit order': { order: 3, pet: undefined, quantity: undefined, ship: '2026-12-24T09:00:00Z', complete: undefined },
  cancel: { order: 3 },
  several: { verb: 'hold', ids: [1, 2] },
  'import stock': { column: 'delta', rows: [{ pet: 1, units: 2, expect: undefined }], onStale: 'fail', allowShortage: false, ...file },
  'import again': { batch: 1 },
  'undo batch': { batch: 1, allowShortage: true },
  // Of the count of the opening.
  'count lines': { count: 1, lines: [{ pet: 1, number: 4, adds: false, also: false, lineKey: 'a' }] },
  'undo line': { count: 1, line: 1 },
  'close count': { count: 1, missing: 'keep', keepGoing: false, allowShortage: false },
  'start count': { category: undefined },
  'cancel count': { count: 2 },
  'import pets': { rows: [{ name: 'Rex', category: 1, quantity: 2, status: 'pending' }], ...file },
};

function stepOf(command: Command, key?: string): Step {
  return { command, dryRun: false, key, seen: undefined, pass: 1000 };
}

/** One of every command, so every run sends each command to each adapter. */
export const everyCommandOnce: readonly Step[] = Object.entries(commands).map(([verb, { key, ...command }]) =>
  stepOf({ do: verb, ...command, ...(verb === 'again' && { key }) } as Command, key),
);

const delivery = { do: 'import stock', column: 'delta', rows: [{ pet: 1, units: 1, expect: undefined }], onStale: 'fail', allowShortage: false } as const;

/** After the opening an order for units that are reserved, which is refused; every command; and one file under two keys, which is applied twice. */
export const firstSequence: readonly Step[] = [
  stepOf({ do: 'place', pet: 1, quantity: 3, ship: undefined, complete: false }),
  ...everyCommandOnce,
  ...['one', 'two'].map((fileKey) => stepOf({ ...delivery, ...file, fileKey })),
];
