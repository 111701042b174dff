import type { Scope } from '../../domain/tokens/token.js';
import type { Described } from './parameters.js';

/** The scope that an operation requires; undefined where it requires none. */
export function scopeOf({ tag, kind }: Pick<Described, 'tag' | 'kind'>): Scope | undefined {
  if (tag === 'Session') return undefined;
  return `${tag === 'Pets' ? 'pets' : 'store'}:${kind}`;
}
