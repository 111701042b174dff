/** What is known of any schema: its type, and what it is made of. */
export interface Schema {
  readonly type: string;
  readonly wrapped?: Schema;
  readonly item?: Schema;
  readonly entries?: Readonly<Record<string, Schema>>;
}
