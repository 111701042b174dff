import { errorMeanings, StoreError, type ErrorCode } from '../../domain/errors.js';
import { ShapeError } from './answer-shapes.js';

function isCode(code: unknown): code is ErrorCode {
  return errorMeanings.has(code as ErrorCode);
}

function recordIn(text: string): { readonly code?: unknown; readonly message?: unknown; readonly hint?: unknown } {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch {
    return {};
  }
}

/** The refusal of an answer that no petstore server gives; `reason` says what is wrong with it. */
export function strangeAnswer(where: string, reason?: string): StoreError {
  return new StoreError(
    'store_unreachable',
    `${where} does not answer like a petstore server${reason === undefined ? '' : `: ${reason}`}.`,
    'Check the address of --store.',
  );
}

/** The refusal of an answer that is longer than any of a petstore server. */
export function longAnswer(where: string, maximumBytes: number): StoreError {
  return strangeAnswer(where, `its answer is longer than ${maximumBytes >= 1 << 20 ? `${maximumBytes >> 20} MiB` : `${maximumBytes >> 10} KiB`}`);
}

/** The record or list of a JSON text that a server sent; refuses what no petstore server would send. */
export function parsed(text: string, where: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Refused below, like a JSON text of anything else.
  }
  throw strangeAnswer(where);
}

/** What `shape` makes of an answer; refuses an answer of another shape. */
export function inShape<T>(where: string, shape: () => T): T {
  try {
    return shape();
  } catch (error) {
    if (error instanceof ShapeError) throw strangeAnswer(where, error.message);
    throw error;
  }
}

/** The refusal in an answer; one that no petstore server wrote is `store_unreachable`. */
export function refusalIn(status: number, text: string, where: string): StoreError {
  const { code, message, hint } = recordIn(text);
  if (code === 'not_acceptable') {
    return new StoreError(
      'schema_too_new',
      `The server at ${where} is another version of petstore, which this program cannot talk to.`,
      'Install the same version on both sides.',
    );
  }
  if (code === 'not_found') {
    return new StoreError(
      'store_unreachable',
      `The server at ${where} does not offer this.`,
      'Check the path of the address; a server with --stable-only, or of another version, offers less.',
    );
  }
  if (code === 'unauthenticated' || code === 'invalid_token') {
    const sentence = code === 'unauthenticated' ? `The shop at ${where} asks for a token.` : String(message);
    return new StoreError(code, sentence, 'Set PETSTORE_TOKEN to a token that petstore token create made where the shop lives.');
  }
  if (isCode(code) && typeof message === 'string') return new StoreError(code, message, typeof hint === 'string' ? hint : undefined);
  return new StoreError('store_unreachable', `${where} does not answer like a petstore server (status ${status}).`, 'Check the address of --store.');
}

/** The refusal of a server that cannot be reached. */
export function unreachable(where: string, { message }: Error): StoreError {
  return new StoreError(
    'store_unreachable',
    `The shop at ${where} cannot be reached: ${message.replace(/\.$/, '')}.`,
    'Check the address of --store, and whether petstore serve runs there.',
  );
}

/** The refusal of an import whose answer never came. */
export function cutOff(where: string, lost: Error): StoreError {
  const reason = (lost.cause as { readonly code?: unknown } | undefined)?.code;
  if (reason === 'ECONNREFUSED' || reason === 'ENOTFOUND') return unreachable(where, lost);
  return new StoreError(
    'store_unreachable',
    `The connection to ${where} broke off during the import; whether the file was applied is not known.`,
    'Run it again when the server answers: a file that was applied is not applied twice.',
  );
}
