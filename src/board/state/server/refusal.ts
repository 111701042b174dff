import type { CompleteError, ErrorCode, ErrorDetails } from '../../../domain/errors.js';

/**
 * Why a request failed: a code of the error catalogue, `no_answer` where the server could not be reached or its answer was cut
 * short, or `foreign_answer` where something between the page and the server answered, such as a proxy.
 */
export type RefusalCode = ErrorCode | 'no_answer' | 'foreign_answer';

/** An expected refusal, in the words of the error catalogue. */
export class RefusalError extends Error {
  override readonly name = 'RefusalError';
  readonly code: RefusalCode;
  readonly status: number;
  /** The field that the refusal is about. */
  readonly field: string | undefined;
  readonly details: ErrorDetails;

  constructor(code: RefusalCode, message: string, status: number, details: ErrorDetails = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
    this.field = details.field;
  }
}

/** A refusal as a sentence beside its field: without the name of the field in front. */
export function sentenceOf({ message, field }: RefusalError): string {
  const prefix = `${field}: `;
  if (field === undefined || !message.startsWith(prefix)) return message;
  const rest = message.slice(prefix.length);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

function isErrorBody(value: unknown): value is CompleteError {
  return typeof value === 'object' && value !== null && 'code' in value && 'message' in value && typeof value.message === 'string';
}

/** The refusal in the body of an answer. A proxy in front of the server answers without an error record. */
export function refusalIn(body: unknown, status: number): RefusalError {
  if (isErrorBody(body)) return new RefusalError(body.code as ErrorCode, body.message, status, body.details);
  return new RefusalError('foreign_answer', `A proxy answered instead of the shop, with status ${status}.`, status);
}

/** What a call answers; undefined where it is refused. */
export async function unlessRefused<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RefusalError) return undefined;
    throw error;
  }
}

/** Whether nothing is known of the shop: its answer got lost, or it can answer later. */
export function isUncertain({ code, status }: RefusalError): boolean {
  return isLost(code) || status >= 500;
}

/** Whether an answer of the shop got lost. */
export function isLost(code: RefusalCode): boolean {
  return code === 'no_answer' || code === 'foreign_answer';
}
