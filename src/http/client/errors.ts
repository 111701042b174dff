import { errorDetails, isErrorCode, StoreError, type ErrorDetails } from '../../domain/errors.js';
import { checkShape, unexpectedAnswer } from './check-shape.js';

/** The fields of a refusal, as far as a text has them. */
function fieldsIn(text: string): Partial<Record<'code' | 'message' | 'details' | 'advice', unknown>> {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch {
    return {};
  }
}

/** The details of a refusal; empty for a value of another shape, because they only serve the hint. */
function detailsIn(value: unknown, where: string): ErrorDetails {
  try {
    return checkShape(errorDetails, value, where) as ErrorDetails;
  } catch {
    return {};
  }
}

/** The refusal in an answer; `store_unreachable` for one that is not from a petstore server. */
export function refusalIn(status: number, text: string, where: string): StoreError {
  const { code, message, details, advice } = fieldsIn(text);
  if (code === 'not_acceptable') {
    return new StoreError('schema_too_new', `The server at ${where} runs another version of petstore, which this program does not support.`, {
      advice: 'Install the same version on both sides.',
    });
  }
  if (code === 'not_found') {
    return new StoreError('store_unreachable', `The server at ${where} does not offer this.`, {
      advice: 'Check the path of the address; a server with --stable-only or of another version offers fewer operations.',
    });
  }
  if (code === 'unauthenticated' || code === 'invalid_token') {
    const sentence = code === 'unauthenticated' ? `The shop at ${where} requires a token.` : String(message);
    return new StoreError(code, sentence);
  }
  if (isErrorCode(code) && typeof message === 'string')
    return new StoreError(code, message, { details: detailsIn(details, where), advice: typeof advice === 'string' ? advice : undefined });
  return unexpectedAnswer(where, `status ${status}`);
}

/** The refusal for a server that cannot be reached. */
export function unreachable(where: string, { message }: Error): StoreError {
  return new StoreError('store_unreachable', `The shop at ${where} cannot be reached: ${message}.`, {
    advice: 'Check the address of --store, and whether petstore serve is running there.',
  });
}

/** Whether a lost connection was never made, so that the server has received nothing. */
export function isUnsent({ cause }: Error): boolean {
  const { syscall } = (cause instanceof AggregateError ? cause.errors[0] : (cause ?? {})) as NodeJS.ErrnoException;
  return syscall === 'connect' || syscall === 'getaddrinfo';
}

/** The refusal for a change without a complete answer; `done` is what may have been done, such as "the change was made". */
export function connectionLost(where: string, lost: Error, done: string, advice?: string): StoreError {
  if (isUnsent(lost)) return unreachable(where, lost);
  const message = `The connection to ${where} was lost (${lost.message}); it is unknown whether ${done}.`;
  return new StoreError('store_unreachable', message, { advice, details: { reason: 'outcome_unknown' } });
}
