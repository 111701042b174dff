import * as v from 'valibot';
import { StoreError, type ErrorCode } from './errors.js';
import type { OperationDescription } from './operation.js';
import { pluralize, shortened } from './values/text.js';

interface Problem {
  readonly code: ErrorCode;
  readonly text: string;
}

// Messages for schemas that declare none.
const typeReasons: ReadonlyMap<string | null, string> = new Map([
  ['Object', 'must be a record'],
  ['Array', 'must be a list'],
  ['string', 'must be a text'],
]);

function reasonOf({ kind, expected, received, message }: v.BaseIssue<unknown>): string {
  if (expected === 'never') return 'is unknown';
  if (received === 'undefined') return 'is required';
  return (kind === 'schema' && message.startsWith('Invalid type') && typeReasons.get(expected)) || message;
}

// A reason may quote the value.
const longestReason = 200;
const shownProblems = 10;

function problem(issue: v.BaseIssue<unknown>): Problem {
  const [first, ...rest] = (issue.path ?? []).map(({ key }) => shortened(String(key)));
  const unknown = issue.expected === 'never';
  const reason = shortened(reasonOf(issue), longestReason);
  if (first === 'body') return { code: 'validation_failed', text: `${rest.join('.') || 'body'}: ${reason}` };
  return { code: unknown ? 'unknown_parameter' : 'invalid_parameter', text: `${first}: ${reason}` };
}

/**
 * Checks the input of an operation. One refusal lists the first problems: `unknown_parameter` or `invalid_parameter` for
 * path and query, `validation_failed` for the body.
 */
export function checkInput<RawInput, Input>(operation: OperationDescription<RawInput, Input>, input: unknown): Input {
  // valibot accepts an array as an object without fields.
  if (Array.isArray((input as { readonly body?: unknown } | undefined)?.body)) throw new StoreError('validation_failed', 'body: must be a record.');
  const parsed = v.safeParse(operation.input, input);
  if (parsed.success) return parsed.output;
  const problems = parsed.issues.map(problem);
  const [worst = { code: 'validation_failed', text: '' }] = problems.filter(({ code }) => code !== 'validation_failed').concat(problems);
  const texts = [...new Set(problems.map(({ text }) => text))];
  const omitted = texts.length > shownProblems ? `; and ${pluralize(texts.length - shownProblems, 'more problem', 'more problems')}` : '';
  throw new StoreError(worst.code, `${texts.slice(0, shownProblems).join('; ')}${omitted}.`);
}
