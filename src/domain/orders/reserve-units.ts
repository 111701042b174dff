import { StoreError } from '../errors.js';
import { type Stock, unreserved } from '../inventory/stock.js';
import { tooFewAvailable, type OrderedUnits } from '../inventory/too-few-units.js';
import type { ReadTransaction } from '../transaction.js';

/** Reads the stock of a pet that a request body names. Refuses with `unknown_pet`. */
export async function requireNamedStock(tx: ReadTransaction, petId: number): Promise<Stock> {
  const stock = await tx.stock.get(petId);
  if (stock === undefined) throw new StoreError('unknown_pet', `There is no pet ${petId}.`, { details: { petId } });
  return stock;
}

/** Refuses to reserve units with `pet_on_hold` or `insufficient_stock`. An order keeps the units that it has, also during a hold. */
export async function checkAvailable(tx: ReadTransaction, stock: Stock, units: OrderedUnits): Promise<void> {
  const { quantity, alreadyReserved = 0 } = units;
  if (stock.hold && alreadyReserved === 0) {
    throw new StoreError('pet_on_hold', `Pet ${stock.petId} is on hold.`, { details: { petId: stock.petId } });
  }
  if (quantity > unreserved(stock) + alreadyReserved) throw await tooFewAvailable(tx, stock, units);
}
