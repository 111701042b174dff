import { StoreError } from './errors.js';

/** What must hold for the version of a record before it is changed. */
export interface Conditions {
  /** The version the record must still have, or one of several. */
  readonly ifMatch?: number | readonly number[] | undefined;
  /** Versions the record must not have; `any` where it must not exist. */
  readonly ifNoneMatch?: readonly number[] | 'any' | undefined;
}

/** Refuses with `precondition_failed` to change a record that does not meet the conditions; one without a version is `undefined`. */
export function checkConditions({ ifMatch, ifNoneMatch }: Conditions, name: string, version: number | undefined): void {
  const expected = ifMatch === undefined ? undefined : [ifMatch].flat();
  if (expected !== undefined && (version === undefined || !expected.includes(version))) {
    const found = version === undefined ? 'has no version' : `is at version ${version}`;
    throw new StoreError('precondition_failed', `${name} ${found}, not ${expected.join(' or ') || 'the one expected'}; read it again.`);
  }
  if (ifNoneMatch === 'any') throw new StoreError('precondition_failed', `${name} exists, and the request is for one that does not.`);
  if (version !== undefined && ifNoneMatch?.includes(version)) {
    throw new StoreError('precondition_failed', `${name} is at version ${version}, and the request is for any other.`);
  }
}
