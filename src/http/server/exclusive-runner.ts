import type { FastifyRequest } from 'fastify';
import { StoreError } from '../../domain/errors.js';
import { senderId } from '../../domain/sender.js';
import { shortened } from '../../domain/values/text.js';
import type { Identity } from './authenticate.js';

/** Runs work while no other work of the same sender runs under the same key. */
export type RunExclusively = <T>(request: FastifyRequest, key: string | undefined, work: () => Promise<T>) => Promise<T>;

/** Allows one running request per sender and key; refuses another with `idempotency_in_progress`. */
export function exclusiveRunner(identityOf: (request: FastifyRequest) => Identity): RunExclusively {
  const running = new Set<string>();
  return async (request, key, work) => {
    if (key === undefined) return work();
    const { actor, token } = identityOf(request);
    // Neither sender nor key can contain a line break.
    const ownKey = `${senderId({ actor, tokenId: token?.id })}\n${key}`;
    if (running.has(ownKey)) {
      throw new StoreError('idempotency_in_progress', `A request with the key "${shortened(key)}" is still running; try again when it is done.`);
    }
    running.add(ownKey);
    try {
      return await work();
    } finally {
      running.delete(ownKey);
    }
  };
}
