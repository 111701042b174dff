import { exitCodes } from '../../src/cli/exit-codes.js';
import { expect, test } from 'vitest';
import { checkInput } from '../../src/domain/check-input.js';
import { errorCodes, errorStatuses, invalidField, isPassing, StoreError, type ErrorCode } from '../../src/domain/errors.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';

/** Each HTTP status with its error codes. */
const statuses: Readonly<Record<number, string>> = {
  400: 'invalid_request invalid_parameter unknown_parameter invalid_cursor',
  401: 'unauthenticated invalid_token',
  403: 'insufficient_scope origin_not_allowed',
  404: 'not_found pet_not_found category_not_found code_not_found order_not_found batch_not_found entry_not_found token_not_found session_not_found count_not_found line_not_found hook_not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  408: 'request_timeout',
  409: `insufficient_stock out_of_stock stock_reserved pet_on_hold status_conflict order_complete order_incomplete pet_has_open_orders
    pet_in_stock category_in_use category_exists code_taken already_undone not_undoable idempotency_in_progress
    already_counting nothing_to_count count_not_open not_in_count count_refused`,
  410: 'cursor_expired cursor_unknown',
  412: 'stock_changed precondition_failed',
  413: 'payload_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  421: 'misdirected_request',
  422: `validation_failed unknown_pet unknown_category unknown_code idempotency_key_reused import_refused
    not_utf8 malformed_csv malformed_json empty_file missing_column unknown_column duplicate_column ambiguous_columns
    invalid_pet_id invalid_quantity duplicate_row malformed_row`,
  428: 'precondition_required',
  429: 'rate_limited',
  431: 'headers_too_large',
  500: 'internal_error',
  502: 'hook_failed',
  501: 'not_implemented',
  503: 'store_busy overloaded shutting_down timeout',
};

/** The exit codes that follow from an HTTP status. */
const exits: Readonly<Record<number, number>> = { 400: 6, 401: 9, 403: 9, 404: 3, 409: 4, 410: 4, 412: 4, 422: 6, 428: 4, 500: 1, 502: 7, 503: 7 };

/** Codes that exist only on the command line, with their exit codes. */
const commandLine: Readonly<Record<number, string>> = {
  1: 'output_failed',
  2: 'usage unknown_command unknown_field confirmation_required input_required ambiguous_category ambiguous_pet',
  4: 'file_exists store_not_empty',
  5: 'partial_failure',
  7: 'store_missing store_unreachable store_unreadable store_read_only store_full schema_too_new',
  130: 'cancelled',
};

function codes(text: string): readonly ErrorCode[] {
  return text.trim().split(/\s+/) as ErrorCode[];
}

const overHttp = Object.entries(statuses).flatMap(([status, text]) => codes(text).map((code) => ({ code, status: Number(status) })));
const onlyHere = Object.entries(commandLine).flatMap(([exitCode, text]) => codes(text).map((code) => ({ code, exitCode: Number(exitCode) })));

test('the catalogue of errors contains exactly the documented codes', () => {
  const documented = [...overHttp, ...onlyHere].map(({ code }) => code);
  expect(errorCodes.toSorted()).toEqual(documented.toSorted());
});

for (const { code, status } of overHttp) {
  test(`${code} is ${status}${status in exits ? `, exit ${exits[status]}` : ''}`, () => {
    expect([errorStatuses[code], exitCodes[code]]).toEqual([status, exits[status] ?? exitCodes[code]]);
  });
}

for (const { code, exitCode } of onlyHere) {
  test(`${code} exits ${exitCode}`, () => {
    expect(exitCodes[code]).toBe(exitCode);
  });
}

test('every error has one of the documented exit codes, and never 0', () => {
  const frozen = [1, 2, 3, 4, 5, 6, 7, 8, 9, 130];
  for (const exitCode of Object.values(exitCodes)) expect(frozen).toContain(exitCode);
});

test('only what needs nobody to mend it passes by itself', () => {
  const passing = errorCodes.filter((code) => isPassing(new StoreError(code, 'Refused.')));
  expect(passing.toSorted()).toEqual(
    codes('request_timeout idempotency_in_progress rate_limited store_busy overloaded shutting_down timeout store_unreachable').toSorted(),
  );
  expect(isPassing(new Error('store_busy'))).toBe(false);
});

test('a StoreError has code, message, status, details and advice', () => {
  const error = new StoreError('stock_changed', 'Pet 7 has 3 on hand, expected 5.', {
    details: { petId: 7 },
    advice: 'Look again.',
  });
  expect(error).toBeInstanceOf(Error);
  expect({ ...error, message: error.message, status: error.status }).toEqual({
    name: 'StoreError',
    code: 'stock_changed',
    message: 'Pet 7 has 3 on hand, expected 5.',
    details: { field: 'quantity', petId: 7 },
    advice: 'Look again.',
    status: 412,
  });
});

test('a refusal carries the field that it is about: of a rule by its code, of a check of the input by its path', () => {
  const refused = (input: unknown): unknown => {
    try {
      return checkInput(placeOrder, input);
    } catch (error) {
      return error instanceof StoreError ? [error.code, error.details.field, error.message] : error;
    }
  };
  expect(refused({ body: { petId: 7, quantity: -1 } })).toEqual(['validation_failed', 'quantity', expect.stringMatching(/^quantity: /)]);
  expect(refused({ body: [] })).toEqual(['validation_failed', 'body', 'body: must be a record.']);
  expect(invalidField('note', 'is too long', { petId: 7 })).toMatchObject({
    message: 'note: is too long.',
    details: { field: 'note', petId: 7 },
  });
  expect(new StoreError('pet_on_hold', 'Pet 7 is on hold.').details).toEqual({ field: 'petId' });
  expect(new StoreError('not_found', 'There is nothing.').details).toEqual({});
});
