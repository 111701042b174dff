import { createRequire } from 'node:module';

interface Ajv {
  readonly addSchema: (schema: object, key: string) => Ajv;
  readonly validate: (schema: object, value: unknown) => boolean;
  readonly errorsText: () => string;
}

// Fastify depends on these packages.
const compiler = createRequire(import.meta.resolve('fastify')).resolve('@fastify/ajv-compiler');
const need = createRequire(compiler);
const { Ajv: AjvClass } = need('ajv') as { readonly Ajv: new (options: object) => Ajv };
const addFormats = need('ajv-formats') as { readonly default: (ajv: Ajv) => Ajv };

/** Validates values against schemas of an OpenAPI document; returns the errors, or undefined. */
export function validatorOf(document: object): (schema: object, value: unknown) => string | undefined {
  const ajv = addFormats.default(new AjvClass({ strict: false, allErrors: true, validateFormats: true }));
  ajv.addSchema(document, 'document');
  // One object for equal schemas: Ajv compiles each object once.
  const known = new Map<string, object>();
  const located = (schema: object): object => {
    const text = JSON.stringify(schema);
    const found = known.get(text) ?? (JSON.parse(text, (key, value: unknown) => (key === '$ref' ? `document${String(value)}` : value)) as object);
    known.set(text, found);
    return found;
  };
  return (schema, value) => (ajv.validate(located(schema), value) ? undefined : ajv.errorsText());
}
