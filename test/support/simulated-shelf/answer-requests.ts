import { randomUUID } from 'node:crypto';
import { isServerAddress } from '../../../src/domain/values/address-kind.js';
import { StoreError } from '../../../src/domain/errors.js';
import { operations } from '../../../src/domain/operations.js';
import type { Shop } from '../../../src/domain/shop.js';
import { remoteShop } from '../../../src/http/client/remote-shop.js';
import { openEngine } from '../../../src/storage/engines.js';
import { localShop } from '../../../src/storage/shop.js';
import { file } from '../files.js';

const waitSeconds = 60;

/** A request to a process: one of the actions of a shop. */
export type Request = { readonly id: number; readonly key: string } & (
  | { readonly do: 'call'; readonly operation: string; readonly input: unknown }
  | { readonly do: 'import'; readonly what: 'stock' | 'pets'; readonly text: string }
  | { readonly do: 'undo'; readonly batch: number }
);

/** The answer of a process. */
export interface Answer {
  readonly id: number;
  readonly value?: unknown;
  /** The error code of a refusal. */
  readonly code?: string;
  readonly message?: string;
}

async function openShop(address: string, actor: string): Promise<Shop> {
  if (isServerAddress(address))
    return remoteShop({
      address: new URL(address),
      token: undefined,
      actor,
      // A request that gets no answer is sent again by the parent.
      waitSeconds: 1,
      insecure: false,
      randomText: randomUUID,
    });
  const engine = await openEngine({ store: address, where: address, waitSeconds, nativeBinding: undefined });
  return localShop(engine, { actor, source: 'cli', clock: () => Date.now() }, address);
}

async function perform(shop: Shop, request: Request): Promise<unknown> {
  const { key } = request;
  if (request.do === 'import') {
    if (request.what === 'stock') return shop.importStock(file(request.text), { mode: 'atomic', key });
    return shop.importPets(file(request.text), { mode: 'atomic', createCategories: true, key });
  }
  if (request.do === 'undo') return (await shop.undoBatch(request.batch, { key })).rows;
  const operation = operations.find(({ id }) => id === request.operation);
  if (operation === undefined) throw new Error(`There is no operation ${request.operation}.`);
  return shop.call(operation, request.input, { key });
}

/** The program of a process: answers the requests of its parent, with a shop that it has opened itself. */
export async function answerRequests([address = '', actor = '']: readonly string[]): Promise<void> {
  const shop = await openShop(address, actor);
  const answer = async (request: Request): Promise<Answer> => {
    try {
      return { id: request.id, value: await perform(shop, request) };
    } catch (error) {
      if (error instanceof StoreError) return { id: request.id, code: error.code, message: error.message };
      return { id: request.id, code: 'internal_error', message: String(error) };
    }
  };
  process.on('message', (request: Request) => void answer(request).then((answered) => process.send?.(answered)));
  process.on('disconnect', () => void shop.close());
}
