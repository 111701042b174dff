import type { ErrorCode } from './errors.js';
import { operations, type ContractOperation } from './operations.js';

/** The records that an operation looks for by the ids of its path. */
function missingRecords({ path }: ContractOperation): readonly ErrorCode[] {
  return [...path.matchAll(/\{(\w+)Id\}/g)].map(([, noun]) => `${noun}_not_found` as ErrorCode);
}

/** What the rules of the shop refuse in an operation, whoever asks for it; `callEach` passes on what the others refuse. */
export function ruleRefusals(operation: ContractOperation): readonly ErrorCode[] {
  const others = operation.id === 'callEach' ? operations.filter(({ kind }) => kind === 'write').flatMap(ruleRefusals) : [];
  return [...new Set([...missingRecords(operation), ...operation.refuses, ...others])];
}
