import type { Scope } from '../../../domain/tokens/token.js';

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
declare const PETSTORE_OPERATIONS: Readonly<Record<string, OperationCall>>;

/** Every operation of the contract by its id. */
export const operationTable: Readonly<Record<string, OperationCall>> = PETSTORE_OPERATIONS;
