import { contract } from '../../domain/operations.js';
import type { Described } from './parameters.js';

const hasView = (path: string): boolean => contract.some((other) => other.method === 'GET' && new RegExp(`^${path}/\\{\\w+\\}$`).test(other.path));

/** Whether an operation creates a record that has an address of its own, which the answer names in `Location`. */
export function isLocated({ status, path }: Pick<Described, 'status' | 'path'>): boolean {
  return status === 201 && hasView(path);
}
