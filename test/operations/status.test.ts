import { expect } from 'vitest';
import { getInventoryItem } from '../../src/domain/inventory/get-inventory-item.js';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { getPetDetails } from '../../src/domain/pets/get-pet-details.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { getPet } from '../../src/domain/pets/get-pet.js';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { releasePet } from '../../src/domain/pets/release-pet.js';
import { replacePet } from '../../src/domain/pets/replace-pet.js';
import { updatePet } from '../../src/domain/pets/update-pet.js';
import { testOnEveryStore } from '../support/stores.js';
import type { PetSeed, TestShop } from '../support/test-shop.js';

type Status = 'available' | 'pending' | 'sold';

function figuresOf({ quantity = 1, reserved = 0, hold = false }: PetSeed): string {
  return `${quantity} on hand, ${reserved} reserved${hold ? ', held' : ''}`;
}

/** The derivation table: the first matching condition decides. */
const derived: readonly (readonly [PetSeed, Status])[] = [
  [{ hold: true, quantity: 3 }, 'pending'],
  [{ hold: true, quantity: 3, reserved: 1 }, 'pending'],
  [{ hold: true, quantity: 2, reserved: 2 }, 'pending'],
  [{ hold: true, quantity: 0 }, 'pending'],
  [{ hold: true, quantity: 0, reserved: 1 }, 'pending'],
  [{ quantity: 1 }, 'available'],
  [{ quantity: 3, reserved: 2 }, 'available'],
  [{ quantity: 2, reserved: 2 }, 'pending'],
  [{ quantity: 1, reserved: 3 }, 'pending'],
  [{ quantity: 0, reserved: 1 }, 'pending'],
  [{ quantity: 0 }, 'sold'],
];

testOnEveryStore('the status of a pet follows from its figures, in every list and detail', async ({ call, pet }) => {
  for (const [seed, status] of derived) {
    const petId = await pet(seed);
    const seen = [
      await call(getPet, { petId }),
      await call(getPetDetails, { petId }),
      await call(getInventoryItem, { petId }),
      ...(await call(listPets, { id: [petId] })).items,
      ...(await call(listPets, { id: [petId], sort: 'name' })).items,
      ...(await call(listPets, { id: [petId], status: [status] })).items,
      ...(await call(listInventory, { status: [status] })).items.filter((item) => item.petId === petId),
    ];
    expect([figuresOf(seed), seen.map((record) => record.status)]).toEqual([figuresOf(seed), Array.from({ length: 7 }, () => status)]);
  }
});

interface Written {
  readonly from: PetSeed;
  readonly wanted: Status | undefined;
  /** The ledger rows it adds and the figures it leaves. */
  readonly writes: readonly string[];
  readonly leaves: string;
}

/** The effect of each written status on each state that allows it. */
const written: readonly Written[] = [
  { from: {}, wanted: undefined, writes: [], leaves: '1 on hand, 0 reserved, available' },
  { from: { hold: true }, wanted: undefined, writes: [], leaves: '1 on hand, 0 reserved, pending' },
  { from: {}, wanted: 'available', writes: [], leaves: '1 on hand, 0 reserved, available' },
  { from: { reserved: 1 }, wanted: 'pending', writes: [], leaves: '1 on hand, 1 reserved, pending' },
  { from: { hold: true }, wanted: 'pending', writes: [], leaves: '1 on hand, 0 reserved, pending' },
  { from: { quantity: 0 }, wanted: 'sold', writes: [], leaves: '0 on hand, 0 reserved, sold' },
  { from: { quantity: 3, reserved: 1 }, wanted: 'pending', writes: ['pet.held'], leaves: '3 on hand, 1 reserved, pending' },
  { from: { quantity: 0 }, wanted: 'pending', writes: ['pet.held'], leaves: '0 on hand, 0 reserved, pending' },
  { from: { hold: true }, wanted: 'available', writes: ['pet.released'], leaves: '1 on hand, 0 reserved, available' },
  { from: { hold: true, quantity: 3, reserved: 2 }, wanted: 'available', writes: ['pet.released'], leaves: '3 on hand, 2 reserved, available' },
  { from: { quantity: 0 }, wanted: 'available', writes: ['return +1'], leaves: '1 on hand, 0 reserved, available' },
  { from: { quantity: 0, hold: true }, wanted: 'available', writes: ['pet.released', 'return +1'], leaves: '1 on hand, 0 reserved, available' },
  { from: {}, wanted: 'sold', writes: ['sale -1'], leaves: '0 on hand, 0 reserved, sold' },
  { from: { hold: true }, wanted: 'sold', writes: ['pet.released', 'sale -1'], leaves: '0 on hand, 0 reserved, sold' },
  { from: { quantity: 0, hold: true }, wanted: 'sold', writes: ['pet.released'], leaves: '0 on hand, 0 reserved, sold' },
];

async function rewrite({ call }: TestShop, petId: number, status: Status | undefined, whole: boolean): Promise<Status> {
  const { name, categoryId } = await call(getPet, { petId });
  const body = { ...(whole && { name, categoryId }), ...(status !== undefined && { status }) };
  return whole ? (await call(replacePet, { petId, body: { name, categoryId, ...body } })).status : (await call(updatePet, { petId, body })).status;
}

for (const whole of [true, false]) {
  testOnEveryStore(`${whole ? 'replacing' : 'changing'} a pet with a status writes what leads to it`, async (shop) => {
    for (const { from, wanted, writes, leaves } of written) {
      const petId = await shop.pet(from);
      const before = await shop.ledgerSummary({ petId });
      const answered = await rewrite(shop, petId, wanted, whole);
      const wrote = (await shop.ledgerSummary({ petId })).slice(before.length);
      expect([figuresOf(from), wanted, wrote, await shop.stockSummary(petId)]).toEqual([figuresOf(from), wanted, writes, leaves]);
      expect(leaves).toMatch(new RegExp(`, ${answered}$`));
    }
  });
}

interface Conflict {
  readonly from: PetSeed;
  readonly wanted: Status;
  readonly says: readonly RegExp[];
}

/** Statuses that contradict the figures. The reservation is order 1. */
const conflicts: readonly Conflict[] = [
  { from: { quantity: 2, reserved: 2 }, wanted: 'available', says: [/Pet 1 cannot become available/, /2 of its 2 on hand are reserved for order 1/] },
  { from: { quantity: 1, reserved: 1, hold: true }, wanted: 'available', says: [/1 of its 1 on hand is reserved for order 1/] },
  { from: { quantity: 0, reserved: 1 }, wanted: 'available', says: [/Pet 1 cannot become available/, /order 1/] },
  { from: { quantity: 1, reserved: 2 }, wanted: 'available', says: [/Pet 1 cannot become available/, /order 1/] },
  { from: { quantity: 3, reserved: 1 }, wanted: 'sold', says: [/Pet 1 cannot become sold/, /1 of its 3 on hand is reserved for order 1/] },
  { from: { quantity: 1, reserved: 1 }, wanted: 'sold', says: [/Pet 1 cannot become sold/, /order 1/] },
  { from: { quantity: 2 }, wanted: 'sold', says: [/Pet 1 has 2 on hand/] },
  { from: { quantity: 2, hold: true }, wanted: 'sold', says: [/Pet 1 has 2 on hand/] },
];

for (const { from, wanted, says } of conflicts) {
  testOnEveryStore(`refuses status ${wanted} for a pet with ${figuresOf(from)} with status_conflict`, async ({ call, pet, expectRefusal }) => {
    const petId = await pet(from);
    await expectRefusal('status_conflict', () => call(updatePet, { petId, body: { status: wanted } }), ...says);
    await expectRefusal('status_conflict', () => call(updatePet, { petId, body: { status: wanted, name: 'Renamed' } }), ...says);
  });
}

testOnEveryStore('writing a pet back as it was read does not set a hold', async ({ call, pet, expectUnchanged }) => {
  for (const [seed] of derived) {
    const petId = await pet(seed);
    const { id, name, categoryId, status } = await call(getPet, { petId });
    const again = await expectUnchanged(() => call(replacePet, { petId, body: { id, name, categoryId, status } }));
    expect(again).toMatchObject({ id, name, categoryId, status });
  }
});

testOnEveryStore('a new pet has the requested status', async ({ call, category, ledgerSummary, stockSummary }) => {
  const categoryId = await category();
  const create = async (status: Status | undefined): Promise<number> => {
    const { id, ...created } = await call(createPet, { body: { name: 'Rex', categoryId, ...(status !== undefined && { status }) } });
    expect(created.status).toBe(status ?? 'available');
    return id;
  };
  const [plain, available, pending, sold] = [await create(undefined), await create('available'), await create('pending'), await create('sold')];
  expect(await ledgerSummary({ petId: plain })).toEqual(['opening +1']);
  expect(await ledgerSummary({ petId: available })).toEqual(['opening +1']);
  expect(await ledgerSummary({ petId: pending })).toEqual(['opening +1', 'pet.held']);
  expect(await ledgerSummary({ petId: sold })).toEqual(['opening 0']);
  expect(await stockSummary(pending)).toBe('1 on hand, 0 reserved, pending');
  expect(await stockSummary(sold)).toBe('0 on hand, 0 reserved, sold');
});

testOnEveryStore('holding and releasing write one row each, and repeated requests none', async ({ call, pet, ledgerSummary, expectUnchanged }) => {
  const petId = await pet({ quantity: 2 });
  expect(await call(holdPet, { petId })).toMatchObject({ id: petId, status: 'pending' });
  await expectUnchanged(() => call(holdPet, { petId }));
  expect(await call(releasePet, { petId })).toMatchObject({ id: petId, status: 'available' });
  await expectUnchanged(() => call(releasePet, { petId }));
  expect(await ledgerSummary({ petId })).toEqual(['opening +2', 'pet.held', 'pet.released']);
});
