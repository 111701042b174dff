import type { OperationDescription } from '../../domain/operation.js';
import type { Scope } from '../../domain/tokens/token.js';
import { jsonType } from './media-types.js';

/** The description of any operation, from which everything in this file follows. */
export type AnyDescription = OperationDescription<unknown, unknown>;

/** The parts of a valibot schema that are read here. */
export interface Schema {
  readonly type: string;
  readonly wrapped?: Schema;
  readonly item?: Schema;
  readonly entries?: Readonly<Record<string, Schema>>;
}

/** Whether an operation takes a JSON body. */
export function takesBody({ input }: Pick<AnyDescription, 'input'>): boolean {
  return 'body' in input.entries;
}

/** The media types of the body of an operation; a patch also takes merge-patch (RFC 7396). */
export function bodyTypes({ method }: Pick<AnyDescription, 'method'>): readonly string[] {
  return method === 'PATCH' ? [jsonType, 'application/merge-patch+json'] : [jsonType];
}

/** The `Accept-Patch` header (RFC 5789, 3.1). */
export const acceptPatch = bodyTypes({ method: 'PATCH' }).join(', ');

/** The scope that an operation requires; undefined where it requires none. */
export function scopeOf({ tag, kind }: Pick<AnyDescription, 'tag' | 'kind'>): Scope | undefined {
  if (tag === 'Session') return undefined;
  return `${tag === 'Pets' ? 'pets' : 'store'}:${kind}`;
}

/** All scopes that an operation requires. */
export function scopesOf(operation: Pick<AnyDescription, 'tag' | 'kind' | 'alsoRequires'>): readonly Scope[] {
  return [scopeOf(operation), operation.alsoRequires].filter((scope) => scope !== undefined);
}

/** Whether an operation changes records of the shop, and so takes an Idempotency-Key, a note and a dry run. */
export function changesRecords({ kind, tag }: Pick<AnyDescription, 'kind' | 'tag'>): boolean {
  return kind === 'write' && tag !== 'Session';
}

/** Whether an operation creates a record that has an address of its own, which the `Location` header of the answer names. */
export function hasLocation({ status, path }: Pick<AnyDescription, 'status' | 'path'>): boolean {
  return status === 201 && !path.includes('{');
}

/** Whether a change addresses one record by its path and so supports If-Match. */
export function isConditional({ method, path }: Pick<AnyDescription, 'method' | 'path'>): boolean {
  return method !== 'GET' && /\{(pet|order|category)Id\}/.test(path);
}

/** Whether --require-if-match applies. A POST, such as an adjustment, is correct on top of any version. */
export function isOverwriting(operation: Pick<AnyDescription, 'method' | 'path'>): boolean {
  return isConditional(operation) && operation.method !== 'POST';
}
