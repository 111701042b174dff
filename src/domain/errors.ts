import { wholeNumber } from './values/numbers.js';
import { field, optional, record } from './values/schemas.js';
import * as v from 'valibot';

/** Every error code with its HTTP status; the only list of codes. */
export const errorStatuses = {
  invalid_request: 400,
  invalid_parameter: 400,
  unknown_parameter: 400,
  invalid_cursor: 400,
  usage: 400,
  unknown_command: 400,
  unknown_field: 400,
  confirmation_required: 400,
  input_required: 400,
  ambiguous_category: 400,
  ambiguous_pet: 400,
  unauthenticated: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  origin_not_allowed: 403,
  not_found: 404,
  pet_not_found: 404,
  category_not_found: 404,
  code_not_found: 404,
  order_not_found: 404,
  batch_not_found: 404,
  entry_not_found: 404,
  token_not_found: 404,
  session_not_found: 404,
  count_not_found: 404,
  line_not_found: 404,
  hook_not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  insufficient_stock: 409,
  out_of_stock: 409,
  stock_reserved: 409,
  pet_on_hold: 409,
  status_conflict: 409,
  order_complete: 409,
  order_incomplete: 409,
  pet_has_open_orders: 409,
  pet_in_stock: 409,
  category_in_use: 409,
  category_exists: 409,
  code_taken: 409,
  already_undone: 409,
  not_undoable: 409,
  already_counting: 409,
  nothing_to_count: 409,
  count_not_open: 409,
  not_in_count: 409,
  count_refused: 409,
  idempotency_in_progress: 409,
  file_exists: 409,
  store_not_empty: 409,
  cursor_expired: 410,
  cursor_unknown: 410,
  stock_changed: 412,
  precondition_failed: 412,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  misdirected_request: 421,
  validation_failed: 422,
  unknown_pet: 422,
  unknown_category: 422,
  unknown_code: 422,
  idempotency_key_reused: 422,
  import_refused: 422,
  // The whole file cannot be read.
  not_utf8: 422,
  malformed_csv: 422,
  malformed_json: 422,
  empty_file: 422,
  missing_column: 422,
  unknown_column: 422,
  duplicate_column: 422,
  ambiguous_columns: 422,
  // One row of a file.
  invalid_pet_id: 422,
  invalid_quantity: 422,
  duplicate_row: 422,
  malformed_row: 422,
  precondition_required: 428,
  rate_limited: 429,
  headers_too_large: 431,
  cancelled: 499,
  internal_error: 500,
  hook_failed: 502,
  output_failed: 500,
  not_implemented: 501,
  store_busy: 503,
  overloaded: 503,
  shutting_down: 503,
  timeout: 503,
  store_missing: 503,
  store_unreachable: 503,
  store_unreadable: 503,
  store_read_only: 503,
  store_full: 503,
  schema_too_new: 503,
  partial_failure: 207,
} as const satisfies Readonly<Record<string, number>>;

/** A machine-readable error code. */
export type ErrorCode = keyof typeof errorStatuses;

/** All error codes. */
export const errorCodes = Object.keys(errorStatuses) as readonly ErrorCode[];

/** Whether a value from outside is an error code. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorStatuses, value);
}

/** Whether a request is valid but conflicts with the current state of the shop. */
export function isConflict(code: ErrorCode): boolean {
  return errorStatuses[code] === 409 || errorStatuses[code] === 412;
}

/** The specification's Error record. */
export interface ErrorRecord {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

/** Why a request was refused, where one code has several reasons that call for different next steps. */
export const errorReason = v.picklist([
  'batch_created_pets',
  'batch_refused',
  'changed_since',
  'database_missing',
  'foreign_objects',
  'inconsistent',
  'last_change_is_import',
  'made_by_another',
  'not_repairable',
  'no_former_values',
  'no_token',
  'opened_read_only',
  'not_confirmed',
  'not_listed',
  'outcome_unknown',
  'part_of_change',
  'private_address',
  'unknown_name',
  'unusable_path',
]);

const readingAdvice = v.object({
  encoding: v.optional(v.string()),
  map: optional(v.pipe(v.array(v.string()), v.readonly()), 'A column of the file and the column to read it as.'),
});

/** How to read a file that was refused, as far as its content tells. */
export type ReadingAdvice = v.InferOutput<typeof readingAdvice>;

const ids = v.pipe(v.array(wholeNumber), v.readonly());

/** The records that a refusal is about, for programs that suggest what to do next. */
export const errorDetails = record('ErrorDetails', 'The records that a refusal is about, for programs that suggest what to do next.', {
  petId: optional(wholeNumber, 'ID of the pet.'),
  petText: optional(v.string(), 'A pet as it was typed: a name or an ID.'),
  codeText: optional(v.string(), 'A code as it was typed, or as it is stored.'),
  orderId: optional(wholeNumber, 'ID of the order.'),
  orderIds: optional(ids, 'The first ten orders that are in the way.'),
  categoryId: optional(wholeNumber, 'ID of the category.'),
  categoryText: optional(v.string(), 'A category as it was typed, a name or an ID; or the name of the category of `categoryId`.'),
  entryId: optional(wholeNumber, 'ID of the ledger entry.'),
  batchId: optional(wholeNumber, 'ID of the import.'),
  tokenId: optional(wholeNumber, 'ID of the token.'),
  countId: optional(wholeNumber, 'ID of the count.'),
  petIds: optional(ids, 'The first pets that are in another open count.'),
  lineIndex: optional(wholeNumber, 'The index of the line of a count that was refused, in its request.'),
  field: optional(v.string(), 'The field of the request that is refused.'),
  reason: optional(errorReason, 'The reason, where one code has several that call for different next steps.'),
  readAs: optional(readingAdvice, 'How to read a file that was refused, as far as its content tells.'),
  at: optional(v.string(), 'The time in the message, for programs that show local time.'),
});

/** The records that a refusal is about, for programs that suggest what to do next. */
export type ErrorDetails = v.InferOutput<typeof errorDetails>;

/** An error with what a program needs to suggest what to do next. */
export const completeError = record('CompleteError', 'An error with what a program needs to suggest what to do next.', {
  code: field(v.string(), 'Machine-readable error code.'),
  message: field(v.string(), 'Human-readable description.'),
  status: field(wholeNumber, 'The HTTP status code.'),
  details: optional(errorDetails, 'The records that the refusal is about.'),
  advice: optional(v.string(), 'What to do next.'),
});

/** An error with what a program needs to suggest what to do next. */
export type CompleteError = v.InferOutput<typeof completeError>;

/** The field that a rule refuses, by its code. Checks of the input name theirs. */
const refusedFields: Partial<Record<ErrorCode, string>> = {
  insufficient_stock: 'quantity',
  out_of_stock: 'delta',
  stock_changed: 'quantity',
  stock_reserved: 'quantity',
  pet_on_hold: 'petId',
  unknown_pet: 'petId',
  unknown_category: 'categoryId',
  category_exists: 'name',
  code_taken: 'code',
  order_incomplete: 'petId',
  not_utf8: 'encoding',
  malformed_csv: 'file',
  malformed_json: 'file',
  empty_file: 'file',
  missing_column: 'columns',
  unknown_column: 'columns',
  duplicate_column: 'columns',
  ambiguous_columns: 'columns',
  import_refused: 'file',
  invalid_token: 'token',
  unauthenticated: 'token',
};

/** What a refusal can carry besides its code and message. */
export interface RefusalOptions {
  readonly details?: ErrorDetails;
  /** A sentence that says what to do next. */
  readonly advice?: string | undefined;
  readonly cause?: unknown;
}

/** An expected refusal: an error code and a full sentence. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly advice: string | undefined;

  constructor(code: ErrorCode, message: string, options: RefusalOptions = {}) {
    super(message, options);
    this.code = code;
    const refused = refusedFields[code];
    this.details = { ...(refused !== undefined && { field: refused }), ...options.details };
    this.advice = options.advice;
  }

  get status(): number {
    return errorStatuses[this.code];
  }
}

/** The codes of what passes by itself. What somebody has to mend first, such as a full disk or a shop that is read-only, is not among them. */
const passing = new Set<ErrorCode>([
  'request_timeout',
  'idempotency_in_progress',
  'rate_limited',
  'store_busy',
  'overloaded',
  'shutting_down',
  'timeout',
  'store_unreachable',
]);

/** Whether the same request may be accepted a little later. */
export function isPassing(error: unknown): error is StoreError {
  return error instanceof StoreError && passing.has(error.code);
}

/** The refusal of a value of a request: "quantity: must not be negative." */
export function invalidField(name: string, reason: string, details: ErrorDetails = {}): StoreError {
  return new StoreError('validation_failed', `${name}: ${reason}.`, {
    details: { field: name, ...details },
  });
}

/** The refusal of a change of a shop that is only read because somebody said so, not because it cannot be written to. */
export function openedReadOnly(sentence: string): StoreError {
  return new StoreError('store_read_only', sentence, { details: { reason: 'opened_read_only' } });
}

/** The result of a request; undefined when it is refused with one of these codes. */
export async function unlessRefused<T>(answer: Promise<T>, ...codes: readonly ErrorCode[]): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof StoreError && codes.includes(error.code)) return undefined;
    throw error;
  }
}
