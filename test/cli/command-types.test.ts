import { expect, test } from 'vitest';
import { optional, repeated } from '../../src/cli/arguments.js';
import { command } from '../../src/cli/declare-command.js';
import { changeCommand, viewCommand } from '../../src/cli/record-command.js';
import { flag } from '../../src/cli/flags.js';
import { wholeNumber } from '../../src/cli/readers.js';
import { petArgument, textArgument } from '../../src/cli/shared-arguments.js';
import { inventoryColumns } from '../../src/cli/commands/inventory/change-stock.js';
import { getInventoryItem } from '../../src/domain/inventory/get-inventory-item.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';

const texts = { path: ['inventory', 'count'], summary: 'count', examples: [] } as const;
const quantity = flag({ long: 'quantity', value: 'n', summary: 'a count', read: wholeNumber });
const setting = { ...texts, columns: inventoryColumns, sentence: () => 'Counted.', operation: setInventory };

// The compiler is the test: an `@ts-expect-error` above a line without an error is an error.
test('the values of a command have the names and types that it declares', async () => {
  const declared = command({
    ...texts,
    arguments: { pet: petArgument, name: optional(textArgument), others: repeated(petArgument) },
    flags: { quantity },
    run: async (_, { pet, name, others, quantity: counted }) => {
      const values: readonly [number, string | undefined, readonly number[], number | undefined] = [pet, name, others, counted];
      expect(values).toEqual([7, 'x', [8, 9], 2]);
      return values.length;
    },
  });
  // A shop in which every text names the pet of that id.
  const call = async (_: unknown, { text }: { readonly text: string }) => ({ petId: Number(text), units: 1 });
  const context = { io: { now: () => 0, stdin: { isTerminal: true, bytes: () => [] } }, call } as unknown as Parameters<typeof declared.run>[0];
  expect(await declared.run(context, ['7', 'x', '8', '9'], { quantity: '2' })).toBe(4);
});

test('names that a command does not declare, names of two values and forgotten values do not compile', () => {
  const run = async (): Promise<void> => {};
  const asking = flag({
    long: 'quantity',
    value: 'n',
    summary: 'a count',
    read: wholeNumber,
    prompt: { ask: async (_, { pet }: { readonly pet: number | undefined }) => ({ quantity: String(pet) }) },
  });
  const commands = [
    // @ts-expect-error -- the argument is called pet
    command({ ...texts, arguments: { pet: petArgument }, run: async (_, { pets }) => pets }),
    // @ts-expect-error -- both are called quantity
    command({ ...texts, arguments: { quantity: textArgument }, flags: { quantity }, run }),
    viewCommand({
      ...texts,
      columns: inventoryColumns,
      operation: getInventoryItem,
      arguments: { pet: repeated(petArgument) },
      // @ts-expect-error -- the argument is called pet
      input: ({ id }) => ({ petId: id }),
    }),
    // @ts-expect-error -- the flag is called quantity
    changeCommand({ ...setting, arguments: { pet: petArgument }, flags: { quantity }, input: ({ pet, count }) => ({ petId: pet, body: { quantity: count } }) }),
    // @ts-expect-error -- the operation needs a quantity
    changeCommand({ ...setting, arguments: { pet: petArgument }, input: ({ pet }) => ({ petId: pet, body: {} }) }),
    // @ts-expect-error -- the pet may be missing
    changeCommand({ ...setting, arguments: { pet: optional(petArgument) }, input: ({ pet }) => ({ petId: pet, body: { quantity: 1 } }) }),
    command({ ...texts, run, arguments: { pet: petArgument }, flags: { quantity: asking } }),
    // @ts-expect-error -- the prompt needs the pet
    command({ ...texts, run, arguments: { name: textArgument }, flags: { quantity: asking } }),
    // @ts-expect-error -- the prompt answers a flag called quantity
    command({ ...texts, run, arguments: { pet: petArgument }, flags: { count: asking } }),
  ];
  expect(commands).toHaveLength(9);
});
