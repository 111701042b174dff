import { errorDetails, isErrorCode, StoreError, type ErrorDetails } from '../../domain/errors.js';
import { checkShape, ShapeError } from './check-shape.js';

interface ErrorFields {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
  readonly advice?: unknown;
}

function recordIn(text: string): ErrorFields {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch {
    return {};
  }
}

/** The refusal of an answer that a petstore server does not send. */
export function unexpectedAnswer(where: string, reason?: string): StoreError {
  return new StoreError('store_unreachable', `${where} does not respond like a petstore server${reason === undefined ? '' : `: ${reason}`}.`, {
    advice: 'Check the address of --store.',
  });
}

/** The refusal of an answer that is too long. */
export function answerTooLong(where: string, maximumBytes: number): StoreError {
  return unexpectedAnswer(where, `its response is longer than ${maximumBytes >= 1 << 20 ? `${maximumBytes >> 20} MiB` : `${maximumBytes >> 10} KiB`}`);
}

/** Parses the JSON record or list of an answer; refuses other texts with `store_unreachable`. */
export function parseJson(text: string, where: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Refused below, like other JSON values.
  }
  throw unexpectedAnswer(where);
}

/** The result of `shape`; a `ShapeError` becomes `store_unreachable`. */
export function withShape<T>(where: string, shape: () => T): T {
  try {
    return shape();
  } catch (error) {
    if (error instanceof ShapeError) throw unexpectedAnswer(where, error.message);
    throw error;
  }
}

/** The details of a refusal; empty for a value of another shape, because they only serve the hint. */
function detailsIn(value: unknown): ErrorDetails {
  try {
    return checkShape(errorDetails, value) as ErrorDetails;
  } catch (error) {
    if (error instanceof ShapeError) return {};
    throw error;
  }
}

/** The refusal in an answer; `store_unreachable` for one that is not from a petstore server. */
export function refusalIn(status: number, text: string, where: string): StoreError {
  const { code, message, details, advice } = recordIn(text);
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
    return new StoreError(code, message, { details: detailsIn(details), advice: typeof advice === 'string' ? advice : undefined });
  return new StoreError('store_unreachable', `${where} does not respond like a petstore server (status ${status}).`, {
    advice: 'Check the address of --store.',
  });
}

/** The refusal for a server that cannot be reached. */
export function unreachable(where: string, { message }: Error): StoreError {
  return new StoreError('store_unreachable', `The shop at ${where} cannot be reached: ${message.replace(/\.$/, '')}.`, {
    advice: 'Check the address of --store, and whether petstore serve is running there.',
  });
}

/** The refusal for an import without a complete answer. */
export function connectionLost(where: string, lost: Error): StoreError {
  const reason = (lost.cause as { readonly code?: unknown } | undefined)?.code;
  if (reason === 'ECONNREFUSED' || reason === 'ENOTFOUND') return unreachable(where, lost);
  return new StoreError('store_unreachable', `The connection to ${where} was lost during the import; it is unknown whether the file was applied.`, {
    advice: 'Run the import again when the server responds; a file is never applied twice.',
    details: { reason: 'outcome_unknown' },
  });
}
