import type { FastifyRequest } from 'fastify';
import { checkInput } from '../../../domain/check-input.js';
import { StoreError } from '../../../domain/errors.js';
import { getShopSettings } from '../../../domain/get-shop-settings.js';
import { createSession } from '../../../domain/sessions/create-session.js';
import { deleteSession } from '../../../domain/sessions/delete-session.js';
import { getSession } from '../../../domain/sessions/get-session.js';
import { allowedScopes, sessionMs, type Session, type SignIn } from '../../../domain/sessions/session.js';
import type { NewSession } from '../../../domain/sessions/session-keeper.js';
import { answerOf } from '../answers.js';
import type { Identity, IsTokenRequired } from '../authenticate.js';
import type { RateLimits } from '../rate-limit.js';
import type { OperationRoute, Routing } from '../routes.js';
import { readJson, refuseBody } from '../request-body.js';
import type { ServerDependencies, ServeOptions } from '../server-options.js';
import { checkEncryption, checkSentByOwnPage, sessionText, setCookie, transportOf } from './session-cookie.js';
import type { SignInCodes } from './sign-in-codes.js';
import { bodyTypes } from '../../contract/operation-rules.js';

/** The maximum size of a body to sign in, which anybody may send. */
const maximumSignInBytes = 16 * 1024;

/** What the session routes need besides what all routes share. */
export interface SessionContext {
  readonly dependencies: ServerDependencies;
  readonly options: ServeOptions;
  readonly codes: SignInCodes;
  readonly isTokenRequired: IsTokenRequired;
  readonly limits: Pick<RateLimits, 'countSignIn'>;
}

/**
 * Starts the session that a token or a one-time code is for. Refuses with `invalid_token`. A second use of a code is logged and ends
 * the session of the first one, because either of them may be a thief.
 */
async function startSession({ dependencies, codes }: SessionContext, request: FastifyRequest, { token, code }: SignIn): Promise<NewSession> {
  const { tokens, sessions, actor, log } = dependencies;
  const transport = transportOf(request);
  if (token !== undefined) return sessions.start({ token: await tokens.check(token) }, transport);
  const used = await codes.redeem(code ?? '', () => sessions.start({ owner: actor }, transport));
  if (used?.isFirst) return used.session;
  if (used) {
    log.error({ msg: 'a one-time code was used a second time', id: request.id, ip: request.ip });
    await sessions.end(used.session.text, used.session.transport);
  }
  throw new StoreError('invalid_token', 'This address was opened before or has expired; start the server again, or sign in with a token.');
}

/** The routes to sign in, to see who is signed in, and to sign out. */
export function sessionRoutes(context: SessionContext, { basePath, timeouts }: Routing): readonly OperationRoute[] {
  const { dependencies, options } = context;
  const answer = async ({ actor, token, session }: Identity): Promise<Session> => {
    const { shopName } = await dependencies.shopOf(dependencies.actor, 'http').call(getShopSettings, {});
    const expiresAt = session?.expiresAt ?? token?.expiresAt;
    return {
      name: actor,
      scopes: allowedScopes(session?.scopes ?? token?.scopes ?? ['admin']),
      ...(expiresAt !== undefined && { expiresAt }),
      signInRequired: await context.isTokenRequired(),
      server: {
        ...dependencies.about,
        ...(shopName !== undefined && { shop: shopName }),
        stableOnly: options.stableOnly,
        requireIfMatch: options.requireIfMatch,
      },
    };
  };
  const create: OperationRoute = {
    operation: createSession,
    scope: 'none',
    handler: async (request, reply, input) => {
      checkEncryption(request);
      const { body } = checkInput(createSession, { ...input, body: await readJson(request.raw, bodyTypes(createSession), timeouts, maximumSignInBytes) });
      // Guesses of others at this address must not keep the owner from using a code, nor from ending the session of who used it before.
      if (body.code === undefined || !context.codes.isIssued(body.code)) await context.limits.countSignIn(request, reply);
      const { session, text } = await startSession(context, request, body);
      request.identity = { actor: session.name, ...(session.token && { token: session.token }), session };
      reply.header('set-cookie', setCookie(request, basePath, text, sessionMs(session.scopes)));
      answerOf(createSession, basePath)(request, reply, await answer(request.identity));
      return reply;
    },
  };
  const read: OperationRoute = {
    operation: getSession,
    scope: 'any',
    handler: async (request, reply) => {
      answerOf(getSession, basePath)(request, reply, await answer(request.identity ?? { actor: dependencies.actor }));
      return reply;
    },
  };
  const remove: OperationRoute = {
    operation: deleteSession,
    scope: 'none',
    handler: async (request, reply) => {
      await refuseBody(request.raw, timeouts);
      const text = request.headers.authorization === undefined ? sessionText(request, basePath) : undefined;
      if (text !== undefined) {
        checkSentByOwnPage(request);
        await dependencies.sessions.end(text, transportOf(request));
        reply.header('set-cookie', setCookie(request, basePath, undefined));
      }
      return reply.code(204).send();
    },
  };
  return [read, create, remove];
}
