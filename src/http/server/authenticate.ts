import type { FastifyRequest } from 'fastify';
import { StoreError } from '../../domain/errors.js';
import { nameProblem, tidy } from '../../domain/values/text.js';
import type { Scope, Token } from '../../domain/tokens/token.js';
import { failureEntry } from './errors.js';
import { bearer, checkHost, checkOrigin, checkScope, hostNames, tokenNeeded } from './access-rules.js';
import { isLoopback } from '../contract/addresses.js';
import type { Premises, ServeOptions } from './server-options.js';
import { absoluteTarget, checkAddress, checkHead } from './request-head.js';
import { headerNames, headerText } from '../contract/headers.js';

/** Decides who gets in, before anything else looks at a request. */
export interface Door {
  /** Refuses what no route should see: a foreign host name, a foreign page, an address that is too long. */
  readonly check: (request: Pick<FastifyRequest, 'method' | 'headers' | 'raw' | 'originalUrl'> & { readonly url: string }) => void;
  /** Who asks; refuses a token that is missing or worthless. */
  readonly whoIs: (request: Pick<FastifyRequest, 'headers'>) => Promise<Visitor>;
}

/** Who asks: by the name of a token, or by their own account where none is needed. */
export interface Visitor {
  readonly actor: string;
  readonly token?: Token;
}

/** Refuses a visitor whose token does not allow what they ask for. */
export function checkAllowed({ token }: Visitor, scope: Scope): void {
  if (token) checkScope(token, scope);
}

/** Refuses to serve other machines without asking who they are. */
export async function checkExposure({ host, socket, auth, insecureNoAuth }: ServeOptions, { tokens }: Premises): Promise<void> {
  if (socket !== undefined || isLoopback(host) || insecureNoAuth) return;
  if (auth !== 'off' && (await tokens.everCreated())) return;
  throw new StoreError(
    'usage',
    `${host} can be reached from other machines, and ${auth === 'off' ? 'nobody would be asked for a token' : 'there is no token yet'}.`,
    auth === 'off' ? 'Leave out --auth off, or add --insecure-no-auth.' : 'petstore token create admin --scope admin',
  );
}

/** Who asks, by their own account; only believed where nobody has to prove it. */
function actorOf(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  let name: string | undefined;
  try {
    name = tidy(headerText.read(String(header)));
  } catch {
    name = undefined;
  }
  if (name !== undefined && nameProblem(name) === undefined) return name;
  throw new StoreError('invalid_parameter', `${headerNames.actor}: must be a percent-encoded name of 1 to 100 characters.`);
}

/** Asks whether a token was ever made, once for all requests that arrive together; it stays asked once the answer is yes. */
function everCreated({ tokens }: Pick<Premises, 'tokens'>): () => Promise<boolean> {
  let asked: Promise<boolean> | undefined;
  return () => {
    if (asked) return asked;
    const asking = tokens.everCreated();
    asked = asking;
    const forget = (): void => void setImmediate(() => (asked = undefined));
    asking.then((ever) => (ever ? undefined : forget()), forget);
    return asking;
  };
}

/** The door of a server that listens on the host of its options. */
export function door({ tokens, actor, log }: Premises, options: ServeOptions): Door {
  const names = hostNames(options.host, options.allowedHosts);
  const made = everCreated({ tokens });
  const trusted = options.insecureNoAuth || options.socket !== undefined || isLoopback(options.host);
  return {
    check: ({ method, headers, url, originalUrl, raw }) => {
      checkHead(raw);
      // The authority of an absolute target counts instead of a Host that is given besides (RFC 9112, 3.2.2).
      const host = headers.host && (absoluteTarget(originalUrl)?.authority ?? headers.host);
      checkHost(host, names);
      checkAddress(method, url);
      checkOrigin(method, { ...headers, host }, options.corsOrigins);
    },
    whoIs: async ({ headers }) => {
      const { authorization } = headers;
      // A token that is sent is checked even where none is asked for: its holder should learn that it is worthless.
      if (authorization === undefined && !(await tokenNeeded(options.auth, trusted, made))) return { actor: actorOf(headers[headerNames.actor]) ?? actor };
      const token = await bearer(authorization, tokens);
      // Nobody waits for this note; a shop too busy to take it is passed over there.
      tokens.used(token.id).catch((error: unknown) => log.error(failureEntry(error)));
      return { actor: token.name, token };
    },
  };
}
