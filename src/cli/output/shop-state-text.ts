import type { ShopState } from '../../domain/maintenance/maintenance.js';
import type { TimeZone } from '../../domain/values/time-zone.js';
import { grouped } from './numbers.js';
import { clockText } from './time-text.js';

/** The state of a shop in words: "6 pets, newest ledger entry 25 of 2026-11-20 22:17". */
export function shopStateText({ pets, newestEntry, newestAt }: ShopState, zone: TimeZone): string {
  return `${grouped(pets)} pets, ${newestAt === undefined ? 'an empty ledger' : `newest ledger entry ${newestEntry} of ${clockText(newestAt, zone)}`}`;
}
