import { StoreError } from './errors.js';
import { shortened } from './values/text.js';

/** Preconditions on the version of a record (RFC 9110, 13.1). */
export interface Conditions {
  /** The version that the record must have, or several of which it must have one. */
  readonly ifMatch?: number | readonly number[] | undefined;
  /** Versions that the record must not have; `any`: the record must not exist. */
  readonly ifNoneMatch?: readonly number[] | 'any' | undefined;
}

/** Refuses with `precondition_failed` a version for an operation whose path names no record: it would be ignored. */
export function checkNamesRecord({ id, path }: { readonly id: string; readonly path: string }, { ifMatch }: Conditions): void {
  if (ifMatch === undefined || path.includes('{')) return;
  throw new StoreError(
    'precondition_failed',
    `If-Match: ${id} changes no record that is named in its path, so it takes no version; send the request without one.`,
  );
}

/** Refuses with `precondition_failed` a record that does not meet the conditions; `version` is undefined for a record without one. */
export function checkConditions({ ifMatch, ifNoneMatch }: Conditions, name: string, version: number | undefined): void {
  const expected = ifMatch === undefined ? undefined : [ifMatch].flat();
  if (expected !== undefined && (version === undefined || !expected.includes(version))) {
    const found = version === undefined ? 'has no version' : `is at version ${version}`;
    throw new StoreError('precondition_failed', `${name} ${found}, not ${shortened(expected.join(' or ')) || 'the one expected'}; read it again.`);
  }
  if (ifNoneMatch === 'any') throw new StoreError('precondition_failed', `${name} exists already.`);
  if (version !== undefined && ifNoneMatch?.includes(version)) {
    throw new StoreError('precondition_failed', `${name} is still at version ${version}.`);
  }
}
