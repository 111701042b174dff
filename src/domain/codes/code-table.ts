import type { Position, Slice } from '../values/pages.js';
import { codeKey, type Code } from './code.js';

/** Selects codes; all conditions must hold. */
export interface CodeFilter {
  readonly petId?: readonly number[] | undefined;
  readonly code?: string | undefined;
}

/** Read access to the codes of live pets. */
export interface CodeReader {
  /** The codes that equal one of these texts. */
  equalTo(texts: readonly string[]): Promise<readonly Code[]>;
  /** All codes of a pet, in the order of lists. */
  ofPet(petId: number): Promise<readonly Code[]>;
  list(filter: CodeFilter, slice: Slice<'code'>): Promise<readonly Code[]>;
  count(filter: CodeFilter, bound?: number): Promise<number>;
}

/** Write access to the codes. */
export interface CodeWriter extends CodeReader {
  insert(code: Code): Promise<void>;
  remove(code: Code): Promise<void>;
}

/** The position of a code in a list. */
export function codePosition({ code, petId }: Code): Position {
  return { key: codeKey(code), id: petId };
}
