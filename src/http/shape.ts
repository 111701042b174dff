interface Schema {
  readonly type: string;
  readonly wrapped?: Schema;
  readonly item?: Schema;
  readonly entries?: Readonly<Record<string, Schema>>;
}

/** Leaves of a value only what the contract shows. */
type Shape = (value: unknown) => unknown;

function shapeOf(schema: Schema): Shape | undefined {
  if (schema.wrapped) return shapeOf(schema.wrapped);
  if (schema.item) {
    const shape = shapeOf(schema.item);
    return shape && ((value) => (value as readonly unknown[]).map(shape));
  }
  if (!schema.entries) return undefined;
  const fields = Object.entries(schema.entries).map(([name, entry]) => [name, shapeOf(entry)] as const);
  return (value) => {
    const whole = value as Readonly<Record<string, unknown>>;
    const shown: Record<string, unknown> = {};
    for (const [name, shape] of fields) {
      const field = whole[name];
      if (field !== undefined && field !== null) shown[name] = shape ? shape(field) : field;
    }
    return shown;
  };
}

/** Writes answers of an operation as JSON: only the fields its output schema names, and none that is absent. */
export function writerOf(output: unknown): (value: unknown) => string {
  const shape = shapeOf(output as Schema);
  return shape ? (value) => JSON.stringify(shape(value)) : (value) => JSON.stringify(value);
}
