import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RouteOptions } from 'fastify';
import type { Server as NodeServer } from 'node:http';
import type { Socket } from 'node:net';
import { StoreError } from '../domain/errors.js';
import { contract, operations } from '../domain/operations.js';
import type { Scope } from '../domain/tokens.js';
import { asksRows } from './answers.js';
import { bringsBody } from './body.js';
import { callsRoute } from './calls.js';
import { checkAllowed, checkExposure, door, type Door, type Visitor } from './door.js';
import { eventStreams, type EventStreams } from './events.js';
import { answerRaw, errorHeaders, errorRecord, errorRow, refusalOf, writeRaw } from './failures.js';
import { scopeOf } from './guard.js';
import { importRoutes } from './imports.js';
import { rateLimiter } from './limits.js';
import { notListening, removeLeftover } from './listening.js';
import { metrics, type Metrics } from './metrics.js';
import { letPagesIn } from './origins.js';
import { documentRoutes, metricsRoute, probeRoutes } from './pages.js';
import type { Premises, ServeOptions } from './premises.js';
import { checkAccepted, maximumAddress, methodsOf, requestIds } from './requests.js';
import { onceAtATime, routeOf, type Routing } from './routes.js';
import { timedShop } from './timed-shop.js';
import { apiVersion, json, type Described } from './wire.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, once the door knows. */
    visitor?: Visitor;
  }
  interface FastifyContextConfig {
    /** What a token must allow, or any token that is valid; without a scope anybody may ask. */
    readonly scope?: Scope | 'any';
    /** The media type of the answers. */
    readonly answers?: string;
    /** The id of an operation that will end. */
    readonly deprecated?: string;
  }
}

/** A server that listens. */
export interface Server {
  /** Where it can be reached, such as http://127.0.0.1:8080. */
  readonly address: string;
  /** Answers what was asked already, then ends. */
  readonly stop: () => Promise<void>;
}

/** A server that is ready but does not listen yet. */
export interface Application {
  readonly app: FastifyInstance;
  readonly streams: EventStreams;
  /** From now on every answer asks its client to close the connection. */
  readonly retire: () => void;
  /** Closes the connections on which nothing was asked, or nothing more. */
  readonly closeUnused: () => void;
  readonly metrics: Metrics;
}

const described = new Map(
  contract.map((operation) => [`${operation.method} ${operation.path}`, operation as unknown as Described & { readonly kind: 'read' | 'write' }]),
);

function instance({ patience }: ServeOptions, nextId: ReturnType<typeof requestIds>): FastifyInstance {
  const options = {
    logger: false,
    // Bodies have limits and deadlines of their own (body.ts); an import may be larger and slower than a record.
    bodyLimit: Number.MAX_SAFE_INTEGER,
    requestTimeout: 0,
    keepAliveTimeout: patience.keepAlive,
    return503OnClosing: false,
    requestIdHeader: false as const,
    genReqId: ({ headers }: { readonly headers: NodeJS.Dict<string | string[]> }) => nextId(headers['x-request-id']),
    // The query is read against the operation, which alone knows its parameters (wire.ts).
    routerOptions: { maxParamLength: maximumAddress, querystringParser: () => ({}) },
    http: { headersTimeout: patience.headers, connectionsCheckingInterval: 500, requireHostHeader: false, maxHeaderSize: 16 * 1024 },
    clientErrorHandler: (error: Error, socket: Socket) => answerRaw(error, nextId(undefined), socket),
    frameworkErrors: (_: Error, request: FastifyRequest, reply: FastifyReply) => {
      commonHeaders(request, reply);
      refuse(new StoreError('invalid_request', 'The address is not a valid path.'), request, reply);
    },
  };
  return fastify(options) as unknown as FastifyInstance;
}

function commonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ 'x-request-id': request.id, 'api-version': apiVersion, 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-cache' });
}

function refuse(refusal: StoreError, request: FastifyRequest, reply: FastifyReply): void {
  const shown = asksRows(request) ? errorRow(refusal) : errorRecord(refusal);
  // Otherwise the connection would be kept to read the rest of a body that nobody wants, however slowly it comes.
  if (bringsBody(request.raw) && !request.raw.complete) reply.header('connection', 'close');
  void reply.code(refusal.status).headers(errorHeaders(refusal)).type(json).send(JSON.stringify(shown));
}

/** What no route answers: another method of a known path, or nothing at all. */
function answerUnrouted(app: FastifyInstance, paths: Parameters<typeof methodsOf>[0], basePath: string): void {
  const methodsFor = methodsOf(paths);
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const allow = path.startsWith(basePath) ? methodsFor(path.slice(basePath.length)) : undefined;
    if (allow === undefined) throw new StoreError('not_found', 'There is nothing at this address; /openapi.json lists what there is.');
    reply.header('allow', allow);
    if (request.method === 'OPTIONS') return reply.code(204).send();
    throw new StoreError('method_not_allowed', `This address does not take ${request.method}; it takes ${allow}.`);
  });
  // Where a fixed path also reads as one with an id, the router would ask for that id.
  for (const path of new Set(paths.map((one) => one.path).filter((one) => !one.includes('{')))) {
    const own = methodsFor(path)?.split(', ') ?? [];
    const method = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !own.includes(one));
    app.route({ method, url: `${basePath}${path}`, handler: async (_, reply) => reply.callNotFound() });
  }
}

/** Keeps a line of the log and the figures for every answer. */
function watch(app: FastifyInstance, { log }: Premises, counted: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url, id, visitor, routeOptions } = request;
    const milliseconds = Math.round(reply.elapsedTime * 1000) / 1000;
    counted.answered(method, routeOptions.url ?? '', reply.statusCode, milliseconds);
    if (routeOptions.config.deprecated !== undefined) counted.deprecated(routeOptions.config.deprecated);
    log.info({ msg: 'request', id, method, url: url.slice(0, 500), status: reply.statusCode, ms: milliseconds, actor: visitor?.actor });
    done();
  });
}

/** Lets in who may come in; refuses everything that a route should not see. */
async function guardRequests(app: FastifyInstance, { check, whoIs }: Door, options: ServeOptions, isRetired: () => boolean): Promise<void> {
  app.decorateRequest('visitor');
  const limit = await rateLimiter(app, options);
  const admit = async (request: FastifyRequest, reply: FastifyReply, scope: Scope | 'any'): Promise<Visitor> => {
    try {
      const visitor = await whoIs(request);
      if (scope !== 'any') checkAllowed(visitor, scope);
      return visitor;
    } catch (error) {
      await limit(request, reply, request.ip);
      throw error;
    }
  };
  app.addHook('onRequest', (request, reply, done) => {
    commonHeaders(request, reply);
    check(request);
    done();
  });
  // Not before: what was asked earlier may be answered when the server is about to end.
  app.addHook('onSend', (_, reply, payload, done) => {
    if (isRetired()) reply.header('connection', 'close');
    done(null, payload);
  });
  // Before anything else refuses, so that a page can read why.
  if (options.corsOrigins.length > 0) await letPagesIn(app, options.corsOrigins);
  app.addHook('onRequest', async (request, reply) => {
    const { scope, answers } = request.routeOptions.config;
    if (answers !== undefined && !asksRows(request)) checkAccepted(request.headers.accept, answers);
    if (scope === undefined) return;
    request.visitor = await admit(request, reply, scope);
    await limit(request, reply, request.visitor.token?.name ?? request.ip);
  });
}

/** Builds the server: every operation of the contract, the probes and the documents, behind one door. */
export async function application(premises: Premises, options: ServeOptions): Promise<Application> {
  const { basePath, stableOnly, patience } = options;
  const nextId = requestIds(premises.randomText());
  const app = instance(options, nextId);
  const streams = eventStreams();
  const counted = metrics(streams.count);
  let retired = false;
  app.removeAllContentTypeParsers();
  // Every body is handed on as it comes; the routes read it.
  app.addContentTypeParser('*', (_, payload, done) => done(null, payload));
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error);
    if (refusal === undefined) premises.log.error({ msg: 'failure', id: request.id, error: error instanceof Error ? error.stack : String(error) });
    refuse(refusal ?? new StoreError('internal_error', `Something went wrong here; the log has it under request ${request.id}.`), request, reply);
  });
  watch(app, premises, counted);
  const entrance = door(premises, options);
  await guardRequests(app, entrance, options, () => retired);
  const shopOf = timedShop(premises.shopOf, counted);
  const routing: Routing = {
    ...options,
    patience,
    clock: premises.clock,
    shopFor: ({ visitor }) => shopOf(visitor?.actor ?? premises.actor),
    once: onceAtATime(),
    door: entrance,
  };
  const routes = [...operations.map((operation) => routeOf(operation, routing)), ...importRoutes(routing), callsRoute(routing), streams.route(routing)];
  const served = contract.filter(({ stability }) => !stableOnly || stability === 'stable');
  for (const route of routes) addOperation(app, route, basePath, served);
  const pages: readonly RouteOptions[] = [
    ...probeRoutes(basePath, shopOf(premises.actor), () => retired),
    ...documentRoutes(basePath, stableOnly, premises.docsFolder),
  ];
  for (const page of pages) app.route(page);
  app.route({ ...metricsRoute(basePath, counted), config: { scope: 'admin' } });
  const open = [...pages.map(({ url }) => ({ method: 'GET', path: url.slice(basePath.length) })), { method: 'GET', path: '/metrics' }];
  answerUnrouted(app, [...served, ...open], basePath);
  await app.ready();
  // CONNECT asks for a tunnel; Node hands over the bare connection.
  app.server.on('connect', (_, socket: Socket) => writeRaw(new StoreError('method_not_allowed', 'This server opens no tunnels.'), nextId(undefined), socket));
  // Without this Node would answer 417 itself; whoever expects what nobody knows is served all the same (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  return {
    app,
    streams,
    metrics: counted,
    retire: () => {
      retired = true;
    },
    closeUnused: unusedConnections(app.server),
  };
}

function addOperation(app: FastifyInstance, route: RouteOptions, basePath: string, served: readonly { readonly id: string }[]): void {
  const path = route.url.slice(basePath.length).replaceAll(/:(\w+)/g, '{$1}');
  const operation = described.get(`${String(route.method)} ${path}`);
  if (operation === undefined || !served.some(({ id }) => id === operation.id)) return;
  const answers = operation.id === 'streamEvents' ? 'text/event-stream' : 'application/json';
  // What calls ask for depends on what they call; their route finds out.
  const scope = operation.id === 'callEach' ? 'any' : scopeOf(operation);
  app.route({ ...route, config: { scope, answers, ...(operation.deprecated && { deprecated: operation.id }) } });
}

// Clients that keep their connection are told with their next answer; this is how long they have to ask for one.
const farewell = 150;
const sweepEvery = 50;

/** Node counts a connection on which nobody ever asked anything as busy, and browsers open some in advance. */
function unusedConnections(server: NodeServer): () => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  return () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    server.closeIdleConnections();
  };
}

async function end({ app, streams, retire, closeUnused, metrics: counted }: Application, patience: number): Promise<void> {
  retire();
  streams.end();
  await new Promise((resolve) => setTimeout(resolve, farewell));
  const server: NodeServer = app.server;
  const late = setTimeout(() => server.closeAllConnections(), patience);
  const sweep = setInterval(closeUnused, sweepEvery);
  await app.close();
  clearInterval(sweep);
  clearTimeout(late);
  counted.stop();
}

/** Starts a server. Refuses with `usage` to serve other machines without tokens, or at an address that is taken. */
export async function serve(premises: Premises, options: ServeOptions): Promise<Server> {
  await checkExposure(options, premises);
  const built = await application(premises, options);
  const { host, port, socket, basePath, patience } = options;
  try {
    if (socket !== undefined) await removeLeftover(socket);
    const address = await built.app.listen(socket === undefined ? { host, port } : { path: socket });
    return { address: `${address}${basePath}`, stop: () => end(built, patience.stop) };
  } catch (error) {
    await built.app.close();
    throw notListening(error, socket ?? `${host}:${port}`);
  }
}
