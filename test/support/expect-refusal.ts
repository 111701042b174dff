import { expect } from 'vitest';
import { StoreError, type ErrorCode } from '../../src/domain/errors.js';

/** Expects a refusal with this code and a message that matches every part. */
export async function expectRefusal(code: ErrorCode, reservation: Promise<unknown>, ...parts: readonly RegExp[]): Promise<StoreError> {
  const outcome = await reservation.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!('error' in outcome)) return expect.fail(`expected the refusal ${code}, got ${JSON.stringify(outcome.value)}`);
  const { error } = outcome;
  // Another error is a bug: it is rethrown with its stack.
  if (!(error instanceof StoreError)) throw error;
  expect(`${error.code}: ${error.message}`).toMatch(new RegExp(`^${code}: `));
  for (const part of parts) expect(error.message).toMatch(part);
  return error;
}
