import type { Scope } from '../../domain/tokens/token.js';
import type { Described } from './parameters.js';

/** The scope that an operation requires. */
export function scopeOf({ tag, kind }: Pick<Described, 'tag' | 'kind'>): Scope {
  return `${tag === 'Pets' ? 'pets' : 'store'}:${kind}`;
}
