import { errorCodes, errorStatuses, type ErrorCode } from '../../domain/errors.js';
import { eventStream } from '../../domain/ledger/stream-events.js';
import type { ContractOperation } from '../../domain/operations.js';
import { ruleRefusals } from '../../domain/refusals.js';
import { changesRecords, isOverwriting } from '../contract/operation-rules.js';
import { bodyName, rowName } from './schemas.js';

/** The codes with which any request can be refused. */
const everywhere: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_parameter',
  'unknown_parameter',
  'unauthenticated',
  'invalid_token',
  'insufficient_scope',
  'origin_not_allowed',
  'not_acceptable',
  'request_timeout',
  'uri_too_long',
  'misdirected_request',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'not_implemented',
  ...errorCodes.filter((code) => errorStatuses[code] === 503),
];

/** Whether an operation evaluates If-Match: every change of records does, also to refuse it where the path names no record. */
function evaluatesConditions(operation: ContractOperation): boolean {
  return operation.kind === 'read' ? operation.answers !== eventStream : changesRecords(operation);
}

/** The codes that depend on the operation: those of its rules, its path, its body and its conditions. */
export function ownRefusals(operation: ContractOperation): readonly ErrorCode[] {
  const { paged } = operation;
  const codes: readonly ErrorCode[] = [
    ...ruleRefusals(operation),
    ...(paged ? (['invalid_cursor'] as const) : []),
    ...(bodyName(operation) !== undefined ? (['validation_failed'] as const) : []),
    ...(evaluatesConditions(operation) ? (['precondition_failed'] as const) : []),
    ...(isOverwriting(operation) ? (['precondition_required'] as const) : []),
    ...(changesRecords(operation) ? (['idempotency_in_progress', 'idempotency_key_reused'] as const) : []),
  ];
  return [...new Set(codes)];
}

/** All codes with which an operation can be refused, by status. */
export function refusalsOf(operation: ContractOperation): ReadonlyMap<number, readonly ErrorCode[]> {
  const hasBody = bodyName(operation) !== undefined || rowName(operation) !== undefined;
  const body: readonly ErrorCode[] = hasBody ? ['payload_too_large', 'unsupported_media_type'] : [];
  const codes = [...everywhere, ...body, ...ownRefusals(operation)];
  const statuses = [...new Set(codes.map((code) => errorStatuses[code]))].toSorted((one, other) => one - other);
  return new Map(statuses.map((status) => [status, codes.filter((code) => errorStatuses[code] === status)]));
}
