import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const requestIdPattern = /^[\w.:@/+=-]{1,128}$/;

/** The ids of the requests of one server, for `X-Request-Id` and the log. */
export interface RequestIds {
  /** A new id. */
  readonly next: () => string;
  /** The id of a request: its X-Request-Id if that is valid, otherwise a new one. */
  readonly of: (message: IncomingMessage) => string;
}

/** The ids of one server, which all begin with the same random text. */
export function requestIds(): RequestIds {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  const next = (): string => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
  return {
    next,
    of: (message) => {
      const given = message.headers['x-request-id'];
      // A new one is kept in its place. A WeakMap of messages would take more time and memory than all else about ids.
      return typeof given === 'string' && requestIdPattern.test(given) ? given : (message.headers['x-request-id'] = next());
    },
  };
}
