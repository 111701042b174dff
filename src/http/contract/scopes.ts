import type { Scope } from '../../domain/tokens/token.js';
import type { Described } from './parameters.js';

/** The scope an operation asks for. */
export function scopeOf({ tag, kind }: Pick<Described, 'tag' | 'kind'>): Scope {
  return `${tag === 'Pets' ? 'pets' : 'store'}:${kind}`;
}
