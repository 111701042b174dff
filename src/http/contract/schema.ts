/** The parts of a valibot schema that are read here. */
export interface Schema {
  readonly type: string;
  readonly wrapped?: Schema;
  readonly item?: Schema;
  readonly entries?: Readonly<Record<string, Schema>>;
}
