import type { Caller } from '../../../domain/caller.js';
import type { ImportFile } from '../../../domain/imports/import-file.js';
import type { StoreError } from '../../../domain/errors.js';
import type { ImportCallback } from '../../contract/import-header.js';

/** Calls of import callbacks, in order; the worker waits for the answer before it goes on. */
export interface CallbackCalls {
  readonly id: number;
  readonly calls: readonly (readonly [name: ImportCallback, values: readonly unknown[]])[];
}

/** The answer: the callbacks have returned, or one has failed and the job must stop. */
export interface CallbacksReturned {
  /** The id of the job. */
  readonly returned: number;
  readonly failed: boolean;
}

/** A job for a worker thread; `source` is the open file descriptor, shared by all threads of the process, with the bytes of an import. */
export type Job =
  | {
      readonly task: 'importStock' | 'importPets' | 'importCodes';
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
  readonly id: number;
  readonly caller: JobCaller;
  readonly job: Job;
}

/** A StoreError as it is sent: errors lose their class between threads. */
export type Refusal = Pick<StoreError, 'code' | 'message' | 'details' | 'advice'>;

/** The result of a job: a value, a refusal, or the stack of an unexpected error. */
export type JobResponse =
  | { readonly id: number; readonly value: unknown; readonly replayed: boolean }
  | { readonly id: number; readonly refusal: Refusal }
  | { readonly id: number; readonly failure: string };

/** The fields of a refusal to send. */
export function sentRefusal({ code, message, details, advice }: StoreError): Refusal {
  return { code, message, details, advice };
}
