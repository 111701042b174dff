import type { RefusalError } from '../server/refusal.js';
import type { TypedLine } from './line-queue.js';

/**
 * The lines of a request that its refusal is about: the line that it names, and others of the same pet. All of them where the count
 * itself takes none. Undefined where the refusal does not tell: the request was refused as a whole, so others may be valid.
 */
export function refusedAmong(lines: readonly TypedLine[], { code, details }: RefusalError): readonly TypedLine[] | undefined {
  if (lines.length === 1 || code === 'count_not_open' || code === 'count_not_found' || code === 'insufficient_scope') return lines;
  const { lineIndex, petId, petIds = [] } = details;
  const refused = lines.filter(({ pet: { id } }, index) => index === lineIndex || (id !== undefined && [petId, ...petIds].includes(id)));
  return refused.length > 0 ? refused : undefined;
}
