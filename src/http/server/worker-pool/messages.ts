import type { Caller } from '../../../domain/caller.js';
import type { ImportFile } from '../../../domain/imports/import-file.js';
import type { StoreError, ErrorCode } from '../../../domain/errors.js';

/** What an import tells while it is at work: the names of its callbacks. */
export const tells = ['onChanges', 'onIgnored', 'onPreview', 'onRejected', 'onRow'] as const;
/** One callback of an import. */
export type Tell = (typeof tells)[number];

/** Calls of callbacks, in their order; the thread waits until they were heard. */
export interface Told {
  readonly id: number;
  readonly told: readonly (readonly [tell: Tell, values: readonly unknown[]])[];
}

/** That calls were heard, or that one of them failed and the task is to stop. */
export interface Heard {
  readonly heard: number;
  readonly failed: boolean;
}

/** A job for another thread; `source` is the open file, of this process, that holds the bytes of an import. */
export type Job =
  | {
      readonly task: 'importStock' | 'importPets';
      readonly file: Omit<ImportFile, 'bytes'>;
      readonly options: object;
      /** The callbacks somebody listens to. */
      readonly tells: readonly Tell[];
      readonly source: number;
      /** Shared memory whose number is not 0 once nobody waits for the import any more: a thread at work hears no messages. */
      readonly stopped: Int32Array<SharedArrayBuffer>;
    }
  | { readonly task: 'undoBatch'; readonly batchId: number; readonly options: object }
  | { readonly task: 'calls'; readonly operation: string; readonly inputs: readonly unknown[]; readonly options: object };

/** Who asks, and through which door. */
export type Asker = Pick<Caller, 'actor' | 'token' | 'source'>;

/** A job as it is sent, and who asks for it. */
export interface Request {
  readonly id: number;
  readonly asker: Asker;
  readonly job: Job;
}

/** What a task came to. */
export type Response =
  | { readonly id: number; readonly value: unknown; readonly replayed: boolean }
  | { readonly id: number; readonly refusal: { readonly code: ErrorCode; readonly message: string; readonly hint: string | undefined } }
  | { readonly id: number; readonly failure: string };

/** A refusal as it goes from thread to thread: errors lose their class on the way. */
export function refusalOf({ code, message, hint }: StoreError): { readonly code: ErrorCode; readonly message: string; readonly hint: string | undefined } {
  return { code, message, hint };
}
