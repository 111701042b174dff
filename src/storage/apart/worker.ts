import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { StoreError } from '../../domain/errors.js';
import type { ImportFile } from '../../domain/imports.js';
import type { Shop } from '../../domain/shop.js';
import { refusalOf, type Piece, type Request, type Response } from './messages.js';

async function* pulled(port: MessagePort): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    port.postMessage('more');
    const [piece] = (await once(port, 'message')) as [Piece];
    if (piece.broken) throw new Error('The file broke off.');
    if (piece.chunk === undefined) return;
    yield piece.chunk;
  }
}

async function perform(shop: Shop, { task, subject, options, bytes }: Request, onReplay: () => void): Promise<unknown> {
  if (typeof subject === 'number') return shop.undoBatch(subject, { ...options, onReplay });
  const file: ImportFile = { ...subject, bytes: bytes ? pulled(bytes) : nothing() };
  return task === 'importPets' ? shop.importPets(file, options as never) : shop.importStock(file, options as never);
}

async function* nothing(): AsyncGenerator<Uint8Array, void> {}

/** Performs the tasks that come through a port, on the thread it was called on. */
export function performTasks(port: MessagePort, shopOf: (actor: string) => Shop): void {
  const answer = async (request: Request): Promise<Response> => {
    const { id, actor } = request;
    let replayed = false;
    try {
      const value = await perform(shopOf(actor), request, () => (replayed = true));
      return { id, value, replayed };
    } catch (error) {
      if (error instanceof StoreError) return { id, refusal: refusalOf(error) };
      return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    } finally {
      request.bytes?.close();
    }
  };
  port.on('message', (request: Request) => {
    void answer(request).then((response) => port.postMessage(response));
  });
}
