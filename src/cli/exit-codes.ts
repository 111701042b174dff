import type { ErrorCode, StoreError } from '../domain/errors.js';

/** The exit code of a command that found something to do: a file that would change something, or a list that is not empty. */
export const actionNeededExitCode = 8 as const;

/** The exit code of a change that PETSTORE_READ_ONLY refuses. */
export const readOnlyExitCode = 4 as const;

/** An exit code of a failed command. */
export type FailureExitCode = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 9 | 130;

/** The meaning of every exit code, as the manual pages and the guide have it. */
export const exitMeanings: Readonly<Record<0 | FailureExitCode | typeof actionNeededExitCode, string>> = {
  0: 'done',
  1: 'an unexpected failure, or a result that could not be written',
  2: 'the command line is wrong, or needs an answer and cannot ask',
  3: 'not found',
  4: 'a conflict with the state of the shop, or PETSTORE_READ_ONLY is set; nothing was changed',
  5: 'some rows of an import, or pets of a count, were refused; the others were applied, now or before',
  6: 'invalid data; nothing was changed',
  7: 'the store is busy, missing, unreachable, unreadable or made by a newer petstore',
  8: 'changes were found, or pets were listed; nothing was changed',
  9: 'the server refuses access: no token, a wrong one, or one without the scope',
  130: 'interrupted, or a question was answered with no',
};

/** The exit code of a command that ends with an error. */
export const exitCodes: Readonly<Record<ErrorCode, FailureExitCode>> = {
  invalid_request: 6,
  invalid_parameter: 6,
  unknown_parameter: 6,
  invalid_cursor: 6,
  usage: 2,
  unknown_command: 2,
  unknown_field: 2,
  confirmation_required: 2,
  input_required: 2,
  ambiguous_category: 2,
  ambiguous_pet: 2,
  unauthenticated: 9,
  invalid_token: 9,
  insufficient_scope: 9,
  origin_not_allowed: 9,
  not_found: 3,
  pet_not_found: 3,
  category_not_found: 3,
  code_not_found: 3,
  order_not_found: 3,
  batch_not_found: 3,
  entry_not_found: 3,
  token_not_found: 3,
  session_not_found: 3,
  count_not_found: 3,
  line_not_found: 3,
  hook_not_found: 3,
  method_not_allowed: 1,
  not_acceptable: 1,
  request_timeout: 7,
  insufficient_stock: 4,
  out_of_stock: 4,
  stock_reserved: 4,
  pet_on_hold: 4,
  status_conflict: 4,
  order_complete: 4,
  order_incomplete: 4,
  pet_has_open_orders: 4,
  pet_in_stock: 4,
  category_in_use: 4,
  category_exists: 4,
  code_taken: 4,
  already_undone: 4,
  not_undoable: 4,
  already_counting: 4,
  nothing_to_count: 4,
  count_not_open: 4,
  not_in_count: 4,
  count_refused: 4,
  idempotency_in_progress: 4,
  file_exists: 4,
  store_not_empty: 4,
  cursor_expired: 4,
  cursor_unknown: 4,
  stock_changed: 4,
  precondition_failed: 4,
  payload_too_large: 6,
  uri_too_long: 6,
  unsupported_media_type: 6,
  misdirected_request: 9,
  validation_failed: 6,
  unknown_pet: 6,
  unknown_category: 6,
  unknown_code: 6,
  idempotency_key_reused: 6,
  import_refused: 6,
  not_utf8: 6,
  malformed_csv: 6,
  malformed_json: 6,
  empty_file: 6,
  missing_column: 6,
  unknown_column: 6,
  duplicate_column: 6,
  ambiguous_columns: 6,
  invalid_pet_id: 6,
  invalid_quantity: 6,
  duplicate_row: 6,
  malformed_row: 6,
  precondition_required: 4,
  rate_limited: 7,
  headers_too_large: 6,
  cancelled: 130,
  internal_error: 1,
  hook_failed: 7,
  output_failed: 1,
  not_implemented: 6,
  store_busy: 7,
  overloaded: 7,
  shutting_down: 7,
  timeout: 7,
  store_missing: 7,
  store_unreachable: 7,
  store_unreadable: 7,
  store_read_only: 7,
  store_full: 7,
  schema_too_new: 7,
  partial_failure: 5,
};

/** The exit code of a refusal. A shop that somebody opened for reading only is no fault of the store. */
export function exitCodeOf({ code, details }: Pick<StoreError, 'code' | 'details'>): FailureExitCode {
  return details.reason === 'opened_read_only' ? readOnlyExitCode : exitCodes[code];
}

/** Whether a refusal says that the store cannot answer at the moment, not that something is wrong with the request. */
export function isUnavailable({ code }: StoreError): boolean {
  return exitCodes[code] === exitCodes.store_unreachable;
}
