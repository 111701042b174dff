import type { StoreError } from '../../../domain/errors.js';
import { exitCodes } from '../../exit-codes.js';

/** Whether a refusal says that the store cannot answer at the moment, not that something is wrong with the request. */
export function isUnavailable({ code }: StoreError): boolean {
  return exitCodes[code] === 7;
}
