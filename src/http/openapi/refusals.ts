import { meaningOf, type ErrorCode } from '../../domain/errors.js';
import { operations, type Contracted } from '../../domain/operations.js';
import { isConditional, isOverwriting, parametersOf } from '../wire.js';
import { bodyName, fileRows } from './schemas.js';

/** What any request can be refused with, whatever it asks for. */
const everywhere: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_parameter',
  'unknown_parameter',
  'unauthenticated',
  'invalid_token',
  'insufficient_scope',
  'not_acceptable',
  'request_timeout',
  'uri_too_long',
  'misdirected_request',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'not_implemented',
  'store_busy',
  'overloaded',
  'shutting_down',
  'timeout',
];

const unreadable: readonly ErrorCode[] = ['import_refused', 'not_utf8', 'malformed_csv', 'malformed_json', 'empty_file', 'missing_column', 'duplicate_column'];
const selling: readonly ErrorCode[] = ['pet_on_hold', 'insufficient_stock', 'order_incomplete'];
const takenBack: readonly ErrorCode[] = ['already_undone', 'not_undoable', 'out_of_stock', 'stock_promised'];

/** What the rules of the shop refuse, by operation. */
const rules: Readonly<Record<string, readonly ErrorCode[]>> = {
  createPet: ['unknown_category'],
  replacePet: ['unknown_category', 'status_conflict'],
  updatePet: ['unknown_category', 'status_conflict'],
  deletePet: ['pet_has_open_orders', 'pet_in_stock'],
  deleteCategory: ['category_in_use', 'unknown_category', 'validation_failed'],
  placeOrder: ['unknown_pet', ...selling],
  updateOrder: ['unknown_pet', ...selling, 'out_of_stock', 'order_complete'],
  cancelOrder: ['order_complete'],
  setInventory: ['stock_changed', 'stock_promised'],
  adjustInventory: ['out_of_stock', 'stock_promised'],
  undoEntry: [...takenBack, 'validation_failed'],
  undoBatch: takenBack,
  importPets: unreadable,
  importInventory: [...unreadable, 'unknown_column', 'ambiguous_columns'],
  streamEvents: ['invalid_cursor'],
};

function notFoundCodes(operation: Contracted): readonly ErrorCode[] {
  return parametersOf(operation).path.map(({ noun }): ErrorCode => `${noun}_not_found`);
}

/** What the rules refuse in all the changes that can be asked for by another operation. */
function othersRefusals(): readonly ErrorCode[] {
  return operations.filter(({ kind }) => kind === 'write').flatMap((operation) => [...notFoundCodes(operation), ...(rules[operation.id] ?? [])]);
}

/** What an operation refuses for reasons of its own. */
export function ownRefusals(operation: Contracted): readonly ErrorCode[] {
  const { id, paged, kind, deprecated } = operation;
  const hasRecord = bodyName(id) !== undefined;
  const codes: readonly ErrorCode[] = [
    ...notFoundCodes(operation),
    ...(paged ? (['invalid_cursor'] as const) : []),
    ...(hasRecord ? (['validation_failed'] as const) : []),
    ...(rules[id] ?? []),
    ...(id === 'callEach' ? othersRefusals() : []),
    ...(isConditional(operation) ? (['precondition_failed'] as const) : []),
    ...(isOverwriting(operation) ? (['precondition_required'] as const) : []),
    ...(kind === 'write' ? (['idempotency_in_progress', 'idempotency_key_reused'] as const) : []),
    ...(deprecated ? (['operation_sunset'] as const) : []),
  ];
  return [...new Set(codes)];
}

/** Everything an operation can be refused with, by status. */
export function refusalsOf(operation: Contracted): ReadonlyMap<number, readonly ErrorCode[]> {
  const hasBody = bodyName(operation.id) !== undefined || operation.id in fileRows;
  const body: readonly ErrorCode[] = hasBody ? ['payload_too_large', 'unsupported_media_type'] : [];
  const origin: readonly ErrorCode[] = operation.kind === 'write' ? ['origin_not_allowed'] : [];
  const codes = [...everywhere, ...origin, ...body, ...ownRefusals(operation)];
  const statuses = [...new Set(codes.map((code) => meaningOf(code).status))].toSorted((one, other) => one - other);
  return new Map(statuses.map((status) => [status, codes.filter((code) => meaningOf(code).status === status)]));
}
