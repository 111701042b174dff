import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallOptions } from '../../../src/domain/call.js';
import { StoreError } from '../../../src/domain/errors.js';
import type { ImportReport } from '../../../src/domain/imports/import-report.js';
import type { Operation } from '../../../src/domain/operation.js';
import { answerRequests, type Answer, type Request } from './answer-requests.js';

/** A person with a process of their own. */
export interface ShopProcess {
  readonly call: <Raw, Input, Output>(operation: Operation<Raw, Input, Output>, input: Raw, key?: CallOptions['key']) => Promise<Output>;
  readonly importFile: (what: 'stock' | 'pets', text: string) => Promise<ImportReport>;
  readonly undoBatch: (batchId: number) => Promise<number>;
  /** Ends the process by SIGKILL. Its unanswered requests are sent again, under their keys, by another process. */
  readonly kill: () => void;
  readonly stop: () => Promise<void>;
}

/** The refusals of a request that is sent again: the first attempt is still running, or the server is away for a moment. */
const passing: ReadonlySet<string> = new Set(['idempotency_in_progress', 'store_unreachable', 'store_busy']);

const retryDelayMs = 20;

/** The source of the program of a process, for `bundle`. */
export const shopProcessSource = `import { ${answerRequests.name} } from './simulated-shelf/answer-requests.js'; void ${answerRequests.name}(process.argv.slice(2));`;

/** Starts a process of the bundled program. Requests that get no answer, because a process or a server was killed, are sent again under the same key. */
export function startShopProcess(script: string, addressOf: () => Promise<string>, actor: string): ShopProcess {
  const waiting = new Map<number, { readonly request: Request; readonly settle: (answer: Answer) => void }>();
  let child: ChildProcess | undefined;
  let [isStopped, lastId] = [false, 0];
  const begin = async (): Promise<void> => {
    const address = await addressOf();
    if (isStopped) return;
    const env = { PATH: process.env['PATH'], NODE_PATH: join(process.cwd(), 'node_modules'), HOME: '/nowhere' };
    const started = spawn(process.execPath, [script, address, actor], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child = started;
    started.on('message', (answer: Answer) => waiting.get(answer.id)?.settle(answer));
    started.on('exit', (exitCode, signal) => {
      if (child === started) child = undefined;
      if (signal === 'SIGKILL' && !isStopped) void begin();
      else for (const { request, settle } of waiting.values()) settle({ id: request.id, code: 'internal_error', message: `${actor} ended with ${exitCode}` });
    });
    for (const { request } of waiting.values()) started.send(request, () => undefined);
  };
  const ask = (request: Request): Promise<Answer> =>
    new Promise((resolve) => {
      const settle = (answer: Answer): void => {
        waiting.delete(request.id);
        resolve(answer);
      };
      waiting.set(request.id, { request, settle });
      child?.send(request, () => undefined);
    });
  const send = async (request: Request): Promise<unknown> => {
    for (;;) {
      const { value, code, message } = await ask(request);
      if (code === undefined) return value;
      if (!passing.has(code)) throw new StoreError(code as 'internal_error', message ?? '');
      await sleep(retryDelayMs);
    }
  };
  const next = (): { readonly id: number; readonly key: string } => ({ id: (lastId += 1), key: randomUUID() });
  void begin();
  return {
    call: async (operation, input, key) => (await send({ ...next(), ...(key !== undefined && { key }), do: 'call', operation: operation.id, input })) as never,
    importFile: async (what, text) => (await send({ ...next(), do: 'import', what, text })) as ImportReport,
    undoBatch: async (batch) => (await send({ ...next(), do: 'undo', batch })) as number,
    kill: () => void child?.kill('SIGKILL'),
    stop: async () => {
      isStopped = true;
      const last = child;
      if (last === undefined) return;
      const ended = new Promise((resolve) => last.once('exit', resolve));
      last.disconnect();
      await ended;
    },
  };
}
