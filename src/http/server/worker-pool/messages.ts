import type { Caller } from '../../../domain/caller.js';
import type { ImportFile } from '../../../domain/imports/import-file.js';
import type { StoreError } from '../../../domain/errors.js';
import type { ImportCallback } from '../../contract/import-header.js';

/** Calls of import callbacks, in order; the worker waits for the answer before it goes on. */
export interface CallbackCalls {
  readonly calls: readonly (readonly [name: ImportCallback, values: readonly unknown[]])[];
}

/** The answer: the callbacks have returned, or one has failed and the job must stop. */
export interface CallbacksReturned {
  readonly failed: boolean;
}

/** The name of an import of `Shop`. */
export type ImportTask = 'importStock' | 'importPets' | 'importCodes';

/** A job for a worker thread; `source` is the open file descriptor, shared by all threads of the process, with the bytes of an import. */
export type Job =
  | {
      readonly task: ImportTask;
      readonly file: Omit<ImportFile, 'bytes'>;
      readonly options: object;
      /** The callbacks to call in the main thread. */
      readonly callbacks: readonly ImportCallback[];
      readonly source: number;
      /** Shared memory, not 0 when the import must stop. Not a message, because a busy thread receives none. */
      readonly stopped: Int32Array<SharedArrayBuffer>;
    }
  | { readonly task: 'undoBatch'; readonly batchId: number; readonly options: object }
  | { readonly task: 'calls'; readonly operation: string; readonly inputs: readonly unknown[]; readonly options: object };

/** Who requested a job; the worker adds its own clock. */
export type JobCaller = Pick<Caller, 'actor' | 'tokenId' | 'scopes' | 'source'>;

/** A job as it is sent to a worker. */
export interface JobRequest {
  readonly caller: JobCaller;
  readonly job: Job;
}

/** The result of a job. */
export interface JobResult {
  readonly value: unknown;
  /** Whether the result is repeated from an earlier request with the same key. */
  readonly replayed: boolean;
}

/** The end of a job: its result, a refusal, or the stack of an unexpected error. */
export type JobResponse =
  | JobResult
  // Errors lose their class between threads.
  | { readonly refusal: Pick<StoreError, 'code' | 'message' | 'details' | 'advice'> }
  | { readonly failure: string };
