/** One step of the schema; each statement on its own, in each engine's spelling. */
export interface Migration {
  readonly version: number;
  readonly sqlite: readonly string[];
  readonly postgres: readonly string[];
}
