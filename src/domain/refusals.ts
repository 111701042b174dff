import type { ErrorCode } from './errors.js';
import { operations, type ContractOperation } from './operations.js';

/** The `…_not_found` codes for the ids in the path of an operation. */
function missingRecords({ path }: ContractOperation): readonly ErrorCode[] {
  return [...path.matchAll(/\{(\w+)Id\}/g)].map(([, noun]) => `${noun}_not_found` as ErrorCode);
}

/** The error codes of an operation that follow from the rules of the shop; `callEach` includes those of all write operations. */
export function ruleRefusals(operation: ContractOperation): readonly ErrorCode[] {
  const others = operation.id === 'callEach' ? operations.filter(({ kind }) => kind === 'write').flatMap(ruleRefusals) : [];
  return [...new Set([...missingRecords(operation), ...operation.refuses, ...others])];
}
