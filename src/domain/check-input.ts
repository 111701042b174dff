import * as v from 'valibot';
import { invalidField, StoreError, type ErrorCode } from './errors.js';
import { isIdText, notFound, unknownRecord } from './values/ids.js';
import { roundedDigits } from './values/json-text.js';
import { notesOf } from './values/schemas.js';
import type { OperationDescription } from './operation.js';
import { pluralize, shortened } from './values/text.js';

/** A schema with the schemas of its parts. */
type Part = v.GenericSchema & {
  readonly wrapped?: Part;
  readonly item?: Part;
  readonly entries?: Readonly<Record<string, Part>>;
};

interface Problem {
  readonly code: ErrorCode;
  readonly field: string;
  readonly text: string;
}

// Messages for schemas that declare none.
const typeReasons: ReadonlyMap<string | null, string> = new Map([
  ['Object', 'must be a record'],
  ['Array', 'must be a list'],
  ['string', 'must be a text'],
]);

function reasonOf({ kind, expected, received, message, input }: v.BaseIssue<unknown>): string {
  const digits = expected === 'number' ? roundedDigits(input) : undefined;
  if (digits !== undefined) return `${shortened(digits)} is too large or has too many digits to be read exactly`;
  if (expected === 'never') return 'is unknown';
  if (received === 'undefined') return 'is required';
  return (kind === 'schema' && message.startsWith('Invalid type') && typeReasons.get(expected)) || message;
}

// A reason may quote the value.
const longestReason = 200;
const shownProblems = 10;

/** The schema of the value at a path in an input; undefined for a field that the input does not have. */
function schemaAt(schema: Part | undefined, keys: readonly string[]): Part | undefined {
  if (schema?.wrapped) return schemaAt(schema.wrapped, keys);
  const [key = '', ...rest] = keys;
  return keys.length === 0 ? schema : schemaAt(schema?.entries?.[key] ?? schema?.item, rest);
}

/** The refusal of an id that is too large for a number, and therefore was never assigned; undefined for other problems. */
function unassignedId({ path, input }: Pick<OperationDescription<unknown, unknown>, 'path' | 'input'>, issue: v.BaseIssue<unknown>): StoreError | undefined {
  const digits = roundedDigits(issue.input);
  if (digits === undefined || !isIdText(digits)) return undefined;
  const keys = (issue.path ?? []).map(({ key }) => String(key));
  const schema = schemaAt(input as Part, keys);
  const { names } = schema === undefined ? {} : notesOf(schema);
  return names && (path.includes(`{${keys[0]}}`) ? notFound : unknownRecord)(names, digits);
}

function problem(issue: v.BaseIssue<unknown>): Problem {
  const [first, ...rest] = (issue.path ?? []).map(({ key }) => shortened(String(key)));
  const unknown = issue.expected === 'never';
  const reason = shortened(reasonOf(issue), longestReason);
  const field = first === 'body' ? rest.join('.') || 'body' : String(first);
  return {
    code: first === 'body' ? 'validation_failed' : unknown ? 'unknown_parameter' : 'invalid_parameter',
    field,
    text: `${field}: ${reason}`,
  };
}

/**
 * Checks the input of an operation. One refusal lists the first problems: `unknown_parameter` or `invalid_parameter` for
 * path and query, `validation_failed` for the body.
 */
export function checkInput<RawInput, Input>(operation: OperationDescription<RawInput, Input>, input: unknown): Input {
  // valibot accepts an array as an object without fields.
  if (Array.isArray((input as { readonly body?: unknown } | undefined)?.body)) throw invalidField('body', 'must be a record');
  const parsed = v.safeParse(operation.input, input);
  if (parsed.success) return parsed.output;
  const unassigned = parsed.issues.map((issue) => unassignedId(operation, issue));
  const others = parsed.issues.filter((_, index) => unassigned[index] === undefined);
  // As for other unknown ids: the rest of the input must be valid.
  if (others.length === 0 && unassigned[0]) throw unassigned[0];
  const problems = others.map(problem);
  const [worst = { code: 'validation_failed', field: 'body' } as const] = problems.filter(({ code }) => code !== 'validation_failed').concat(problems);
  const texts = [...new Set(problems.map(({ text }) => text))];
  const omitted = texts.length > shownProblems ? `; and ${pluralize(texts.length - shownProblems, 'more problem', 'more problems')}` : '';
  throw new StoreError(worst.code, `${texts.slice(0, shownProblems).join('; ')}${omitted}.`, {
    details: { field: worst.field },
  });
}
