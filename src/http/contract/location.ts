import { contract } from '../../domain/operations.js';
import type { AnyDescription } from './operation-rules.js';

const hasView = (path: string): boolean => contract.some((other) => other.method === 'GET' && new RegExp(`^${path}/\\{\\w+\\}$`).test(other.path));

/** Whether an operation creates a record that has an address of its own, which the `Location` header of the answer names. */
export function hasLocation({ status, path }: Pick<AnyDescription, 'status' | 'path'>): boolean {
  return status === 201 && hasView(path);
}
