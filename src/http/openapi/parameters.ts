import { answersVersioned } from './responses.js';
import { eventStream } from '../../domain/ledger/stream-events.js';
import type { ContractOperation } from '../../domain/operations.js';
import { exampleEntry } from '../../domain/ledger/ledger-entry.js';
import { eventIdOf, eventIdPattern, positionAfter } from '../../domain/ledger/ledger-position.js';
import { changesRecords, isConditional } from '../contract/operation-rules.js';
import { parametersIn, rowName, type Part } from './schemas.js';

interface RequestHeader {
  /** The name on the wire, where it is not the name in the document. */
  readonly field?: string;
  readonly description: string;
  readonly schema: Part;
  readonly example: string | boolean;
}

const keySchema: Part = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]([ -~]*[!-~])?$' };

/** The headers of requests, by their name in the document. */
const requestHeaders: Readonly<Record<string, RequestHeader>> = {
  'Idempotency-Key': {
    description:
      'A key of your choice for this change, 1 to 255 printable ASCII characters. Repeating the request with the same key within 24 hours returns the first response and changes nothing. Keys of different tokens (or actors, without a token) are independent. Using a key for a different request is refused.',
    schema: keySchema,
    example: 'web-order-4711',
  },
  'Import-Key': {
    field: 'Idempotency-Key',
    description:
      'A key of your choice for this file, 1 to 255 printable ASCII characters; it never expires. Sending the same file with the same key again applies nothing and returns 200 with a report: `alreadyApplied` counts its rows, and `earlier` shows who applied it and when. After an import that refused some rows, only those are tried again. Another file with the same key is refused with `idempotency_key_reused`. Keys of different tokens (or actors, without a token) are independent.',
    schema: keySchema,
    example: 'invoice 4711',
  },
  'Petstore-Actor': {
    description:
      'The name recorded in the ledger, as percent-encoded UTF-8, 1 to 100 characters. Ignored in a request with a token, which records the name of the token.',
    schema: { type: 'string' },
    example: 'ana',
  },
  'Petstore-Note': {
    description: 'A note for the ledger entries of the change, as percent-encoded UTF-8.',
    schema: { type: 'string' },
    example: 'by%20phone',
  },
  'Petstore-Dry-Run': { description: 'Checks everything and changes nothing; the response is what it would be.', schema: { type: 'boolean' }, example: true },
  'If-Match': {
    description: 'The ETag of the record as you last read it; the request is refused if the record has changed since. Some servers require it for changes.',
    schema: { type: 'string' },
    example: '"1208"',
  },
  'If-None-Match': {
    description:
      'The ETag of the record as you last read it: if it has not changed, a GET returns 304, and a change is refused. `*` means any existing record.',
    schema: { type: 'string' },
    example: '"1208"',
  },
  'Last-Event-ID': {
    description:
      'The id of the last event received; browsers send it when they reconnect. The id of a ledger entry alone is accepted as well, but does not show whether the ledger still has that entry.',
    schema: { type: 'string', pattern: eventIdPattern.source },
    example: eventIdOf(positionAfter(exampleEntry)),
  },
};

/** The header parameters that operations share. */
export function sharedParameters(): Part {
  return Object.fromEntries(
    Object.entries(requestHeaders).map(([name, { field, ...parameter }]) => [name, { name: field ?? name, in: 'header', required: false, ...parameter }]),
  );
}

function headersOf(operation: ContractOperation): readonly string[] {
  if (operation.answers === eventStream) return ['Last-Event-ID'];
  if (operation.kind === 'read') return answersVersioned(operation) ? ['If-Match', 'If-None-Match'] : [];
  if (!changesRecords(operation)) return [];
  const key = rowName(operation) !== undefined ? 'Import-Key' : 'Idempotency-Key';
  return [key, 'Petstore-Actor', 'Petstore-Note', 'Petstore-Dry-Run', ...(isConditional(operation) ? ['If-Match', 'If-None-Match'] : [])];
}

/** The parameters of an operation: those of its path, its query and its headers. */
export function parameterParts(operation: ContractOperation): readonly Part[] {
  return [...parametersIn(operation), ...headersOf(operation).map((name) => ({ $ref: `#/components/parameters/${name}` }))];
}
