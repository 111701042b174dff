/** Every error code with its HTTP status and its exit code. */
const catalogue = [
  { status: 400, exitCode: 6, codes: ['invalid_request', 'invalid_parameter', 'unknown_parameter', 'invalid_cursor'] },
  { status: 400, exitCode: 2, codes: ['usage', 'unknown_command', 'unknown_field', 'confirmation_required', 'input_required', 'ambiguous_category'] },
  { status: 401, exitCode: 9, codes: ['unauthenticated', 'invalid_token'] },
  { status: 403, exitCode: 9, codes: ['insufficient_scope', 'origin_not_allowed'] },
  {
    status: 404,
    exitCode: 3,
    codes: ['not_found', 'pet_not_found', 'category_not_found', 'order_not_found', 'batch_not_found', 'entry_not_found', 'token_not_found'],
  },
  { status: 405, exitCode: 1, codes: ['method_not_allowed'] },
  { status: 406, exitCode: 1, codes: ['not_acceptable'] },
  { status: 408, exitCode: 7, codes: ['request_timeout'] },
  {
    status: 409,
    exitCode: 4,
    codes: [
      'insufficient_stock',
      'out_of_stock',
      'stock_reserved',
      'pet_on_hold',
      'status_conflict',
      'order_complete',
      'order_incomplete',
      'pet_has_open_orders',
      'pet_in_stock',
      'category_in_use',
      'already_undone',
      'not_undoable',
      'idempotency_in_progress',
      'file_exists',
      'store_not_empty',
    ],
  },
  { status: 410, exitCode: 4, codes: ['cursor_expired', 'operation_sunset'] },
  { status: 412, exitCode: 4, codes: ['stock_changed', 'precondition_failed'] },
  { status: 413, exitCode: 6, codes: ['payload_too_large'] },
  { status: 414, exitCode: 6, codes: ['uri_too_long'] },
  { status: 415, exitCode: 6, codes: ['unsupported_media_type'] },
  { status: 421, exitCode: 9, codes: ['misdirected_request'] },
  { status: 422, exitCode: 6, codes: ['validation_failed', 'unknown_pet', 'unknown_category', 'idempotency_key_reused', 'import_refused'] },
  // The whole file cannot be read.
  {
    status: 422,
    exitCode: 6,
    codes: ['not_utf8', 'malformed_csv', 'malformed_json', 'empty_file', 'missing_column', 'unknown_column', 'duplicate_column', 'ambiguous_columns'],
  },
  // One row of a file.
  { status: 422, exitCode: 6, codes: ['invalid_pet_id', 'invalid_quantity', 'duplicate_row', 'malformed_row'] },
  { status: 428, exitCode: 4, codes: ['precondition_required'] },
  { status: 429, exitCode: 7, codes: ['rate_limited'] },
  { status: 431, exitCode: 6, codes: ['headers_too_large'] },
  { status: 499, exitCode: 130, codes: ['cancelled'] },
  { status: 500, exitCode: 1, codes: ['internal_error', 'output_failed'] },
  { status: 501, exitCode: 6, codes: ['not_implemented'] },
  { status: 503, exitCode: 7, codes: ['store_busy', 'overloaded', 'shutting_down', 'timeout'] },
  {
    status: 503,
    exitCode: 7,
    codes: ['store_missing', 'store_unreachable', 'store_unreadable', 'store_read_only', 'store_full', 'schema_too_new'],
  },
  { status: 207, exitCode: 5, codes: ['partial_failure'] },
] as const;

/** An error code of the catalogue. */
export type ErrorCode = (typeof catalogue)[number]['codes'][number];

/** What a code means to the outside: the HTTP status and the exit code of a command. */
export interface ErrorMeaning {
  readonly status: number;
  readonly exitCode: number;
}

/** The catalogue by code; the only place that turns a code into a status or an exit code. */
export const errorMeanings: ReadonlyMap<ErrorCode, ErrorMeaning> = new Map(
  catalogue.flatMap(({ status, exitCode, codes }) => codes.map((code) => [code, { status, exitCode }] as const)),
);

/** The meaning of one code. */
export function meaningOf(code: ErrorCode): ErrorMeaning {
  return errorMeanings.get(code) ?? { status: 500, exitCode: 1 };
}

/** The specification's Error record. */
export interface ErrorRecord {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

/** An expected refusal: a code of the catalogue, one full sentence, and optionally what to do next. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.hint = hint;
  }

  /** Compares names, because the bundle of the server has its own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'StoreError';
  }

  get status(): number {
    return meaningOf(this.code).status;
  }

  get exitCode(): number {
    return meaningOf(this.code).exitCode;
  }
}
