import type { Schema } from '../contract/operation-rules.js';

/** Writes a value as JSON. */
type Write = (value: unknown) => string;

function recordWriter(entries: Readonly<Record<string, Schema>>): Write {
  const fields = Object.entries(entries).map(([name, entry]) => ({ name, label: `${JSON.stringify(name)}:`, write: writerOf(entry) }));
  return (value) => {
    const record = value as Readonly<Record<string, unknown>>;
    let text = '';
    for (const { name, label, write } of fields) {
      const field = record[name];
      if (field !== undefined && field !== null) text += `${text === '' ? '{' : ','}${label}${write(field)}`;
    }
    return text === '' ? '{}' : `${text}}`;
  };
}

/**
 * Writes a value as JSON with exactly the fields of its schema; undefined and null fields are left out. Takes half the time
 * of copying the fields and calling JSON.stringify, which dominates pages.
 */
export function writerOf(schema: Schema): Write {
  if (schema.wrapped) return writerOf(schema.wrapped);
  if (schema.item) {
    const write = writerOf(schema.item);
    return (value) => `[${(value as readonly unknown[]).map(write).join(',')}]`;
  }
  if (schema.entries && schema.type !== 'loose_object') return recordWriter(schema.entries);
  if (schema.type === 'number') return String;
  return JSON.stringify;
}
