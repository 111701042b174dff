import { StoreError } from '../../domain/errors.js';

/** The headers that make a request conditional. */
export interface Conditions {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
}

const tagsOf = (header: string): readonly string[] => header.split(',').map((tag) => tag.trim());

/** Whether an If-Match names a tag; compared strongly (RFC 9110, 13.1.1). */
function matches(header: string, tag: string | undefined): boolean {
  return tagsOf(header).some((one) => one === '*' || one === tag);
}

/** Whether an If-None-Match names a tag; compared weakly (RFC 9110, 13.1.2). */
export function namesTag(header: string, tag: string | undefined): boolean {
  return tagsOf(header).some((one) => one === '*' || one.replace(/^W\//, '') === tag);
}

/**
 * Whether the client of a GET has the current representation already, so that 304 answers it. Refuses with
 * `precondition_failed` where If-Match names another one. A representation without a validator has no tag.
 */
export function isKnown({ 'if-match': match, 'if-none-match': noneMatch }: Conditions, tag: string | undefined): boolean {
  if (match !== undefined && !matches(match, tag)) {
    throw new StoreError('precondition_failed', `If-Match: names another version than the current one${tag === undefined ? '' : ` (${tag})`}; read it again.`);
  }
  return noneMatch !== undefined && namesTag(noneMatch, tag);
}
