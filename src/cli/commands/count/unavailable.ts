import type { StoreError } from '../../../domain/errors.js';
import { exitCodes } from '../../exit-codes.js';

/** Whether a refusal says that the store cannot answer now, and so nothing of the request. */
export function isFailure({ code }: StoreError): boolean {
  return exitCodes[code] === 7;
}
