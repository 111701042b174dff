import type { Scope } from '../../../domain/tokens/token.js';
import type { OperationId } from './contract.js';

/** How the page sends an operation. */
export interface OperationCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below the base path, with its parameters in braces. */
  readonly path: string;
  /** The names of the query parameters. */
  readonly query: readonly string[];
  /** Whether it takes a JSON body. */
  readonly body: boolean;
  /** The scope that a token needs for it. */
  readonly scope: Scope;
}

/** Made from the contract by .config/build-board.js. */
declare const PETSTORE_OPERATIONS: Readonly<Record<OperationId, OperationCall>>;

/** How the page sends each operation. */
export const operationTable: Readonly<Record<OperationId, OperationCall>> = PETSTORE_OPERATIONS;
