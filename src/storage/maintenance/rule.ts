import type { Sql } from '../sql.js';

/** A rule that every shop must satisfy. */
export interface Rule {
  readonly name: string;
  /** What the ids identify. */
  readonly noun: 'pet' | 'order' | 'ledger entry' | 'category' | 'batch' | 'count' | 'line';
  /** Finds the distinct ids that break the rule. */
  readonly query: Sql;
  readonly holds: string;
  readonly broken: string;
  /** The first schema version that has its columns; undefined for all versions. */
  readonly since?: number;
}
