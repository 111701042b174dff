import { StoreError } from '../../domain/errors.js';

/** The headers that make a request conditional. */
export interface Conditions {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
}

const tagsOf = (header: string): readonly string[] => header.split(',').map((tag) => tag.trim());

/** Whether If-Match contains a tag; strong comparison (RFC 9110, 13.1.1). */
function matches(header: string, tag: string | undefined): boolean {
  return tagsOf(header).some((one) => one === '*' || one === tag);
}

/** Whether If-None-Match contains a tag; weak comparison (RFC 9110, 13.1.2). */
export function namesTag(header: string, tag: string | undefined): boolean {
  return tagsOf(header).some((one) => one === '*' || one.replace(/^W\//, '') === tag);
}

/**
 * Whether to answer a GET with 304 because the client has the current representation. Refuses with `precondition_failed`
 * when If-Match contains other tags. `tag` is undefined for a representation without a validator.
 */
export function isNotModified({ 'if-match': match, 'if-none-match': noneMatch }: Conditions, tag: string | undefined): boolean {
  if (match !== undefined && !matches(match, tag)) {
    throw new StoreError('precondition_failed', `If-Match: does not match the current version${tag === undefined ? '' : ` (${tag})`}; read the record again.`);
  }
  return noneMatch !== undefined && namesTag(noneMatch, tag);
}
