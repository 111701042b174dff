import { errorCodes, errorStatuses, type ErrorCode, type StoreError } from '../domain/errors.js';

/** The exit code of a command that found something to do: a file that would change something, or a list that is not empty. */
export const actionNeededExitCode = 8 as const;

/** The exit code of a change that PETSTORE_READ_ONLY refuses. */
export const readOnlyExitCode = 4 as const;

/** An exit code of a failed command. */
export type FailureExitCode = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 9 | 130;

/** The meaning of every exit code, as the manual pages and the guide have it. */
export const exitMeanings: Readonly<Record<0 | FailureExitCode | typeof actionNeededExitCode, string>> = {
  0: 'done',
  1: 'an unexpected failure, or a result that could not be written',
  2: 'the command line is wrong, or needs an answer and cannot ask',
  3: 'not found',
  4: 'a conflict with the state of the shop, or PETSTORE_READ_ONLY is set; nothing was changed',
  5: 'some rows of an import, or pets of a count, were refused; the others were applied, now or before',
  6: 'invalid data; nothing was changed',
  7: 'the store is busy, missing, unreachable, unreadable or made by a newer petstore',
  8: 'changes were found, or pets were listed; nothing was changed',
  9: 'the server refuses access: no token, a wrong one, or one without the scope',
  130: 'interrupted, or a question was answered with no',
};

const exitCodeOfStatus: Readonly<Record<(typeof errorStatuses)[ErrorCode], FailureExitCode>> = {
  207: 5,
  400: 6,
  401: 9,
  403: 9,
  404: 3,
  405: 1,
  406: 1,
  408: 7,
  409: 4,
  410: 4,
  412: 4,
  413: 6,
  414: 6,
  415: 6,
  421: 9,
  422: 6,
  428: 4,
  429: 7,
  431: 6,
  499: 130,
  500: 1,
  501: 6,
  502: 7,
  503: 7,
};

/** Errors of the command line, not of its data. */
const usageCodes = new Set<ErrorCode>([
  'usage',
  'unknown_command',
  'unknown_field',
  'confirmation_required',
  'input_required',
  'ambiguous_category',
  'ambiguous_pet',
]);

/** The exit code of a command that ends with an error. */
export const exitCodes = Object.fromEntries(errorCodes.map((code) => [code, usageCodes.has(code) ? 2 : exitCodeOfStatus[errorStatuses[code]]])) as Readonly<
  Record<ErrorCode, FailureExitCode>
>;

/** The exit code of a refusal. A shop that somebody opened for reading only is no fault of the store. */
export function exitCodeOf({ code, details }: Pick<StoreError, 'code' | 'details'>): FailureExitCode {
  return details.reason === 'opened_read_only' ? readOnlyExitCode : exitCodes[code];
}

/** Whether a refusal is one of the store or its server (exit code 7), not of what was asked. Only some of these pass by themselves (`isPassing`). */
export function isOfStore({ code }: StoreError): boolean {
  return exitCodes[code] === exitCodes.store_unreachable;
}
