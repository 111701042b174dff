import type { Rules } from './apply-command.js';
import { created, done, livePet, move, reservedOf, refuse, trackLowLevel, appendRow, type Model } from './shop.js';

/** The commands for stock. */
export type StockCommand =
  | { readonly do: 'set'; readonly pet: number; readonly units: number; readonly expect: number | undefined; readonly allowShortage: boolean }
  | { readonly do: 'adjust'; readonly pet: number; readonly units: number; readonly allowShortage: boolean }
  | { readonly do: 'low at'; readonly pet: number; readonly level: number | undefined }
  | { readonly do: 'low default'; readonly level: number | undefined }
  | { readonly do: 'undo entry'; readonly entry: number; readonly allowShortage: boolean };

/** Refuses negative quantities, and those that do not cover the reservations. */
function check(model: Model, id: number, after: number, allowShortage: boolean): void {
  const { quantity } = livePet(model, id);
  if (after < 0) refuse('out_of_stock');
  if (after < quantity && after < reservedOf(model, id) && !allowShortage) refuse('stock_reserved');
}

/** The rules of stock. */
export const stockRules: Rules<StockCommand> = {
  set: (model, { pet: id, units, expect, allowShortage }, checkVersion) => {
    const { quantity } = livePet(model, id);
    checkVersion('pet', id);
    if (expect !== undefined && expect !== quantity) refuse('stock_changed');
    if (units === quantity) return done;
    if (units < reservedOf(model, id) && !allowShortage) refuse('stock_reserved');
    move(model, id, units - quantity, { kind: 'count' });
    return done;
  },
  adjust: (model, { pet: id, units, allowShortage }, checkVersion) => {
    const { quantity } = livePet(model, id);
    checkVersion('pet', id);
    check(model, id, quantity + units, allowShortage);
    move(model, id, units, { kind: 'adjust' });
    return done;
  },
  'low at': (model, { pet: id, level }, checkVersion) => {
    const pet = livePet(model, id);
    checkVersion('pet', id);
    if (pet.low === level) return done;
    const crossing = trackLowLevel(model, id);
    pet.low = level;
    appendRow(model, { kind: 'pet.updated', pet: id });
    crossing();
    return done;
  },
  'low default': (model, { level }) => {
    const crossings = [...model.pets].filter(([, { live }]) => live).map(([id]) => trackLowLevel(model, id));
    if (model.low === level) return done;
    model.low = level;
    appendRow(model, { kind: 'shop.updated' });
    for (const crossing of crossings) crossing();
    return done;
  },
  'undo entry': (model, { entry, allowShortage }) => {
    const row = model.ledger[entry - 1] ?? refuse('entry_not_found');
    if (row.kind !== 'count' && row.kind !== 'adjust') refuse('not_undoable');
    if (model.ledger.some(({ reverses }) => reverses === entry)) refuse('already_undone');
    const { pet = 0, delta = 0 } = row;
    const { quantity } = livePet(model, pet, 'not_undoable');
    check(model, pet, quantity - delta, allowShortage);
    const id = model.ledger.length + 1;
    move(model, pet, -delta, { kind: 'undo', reverses: entry });
    return created(id);
  },
};
