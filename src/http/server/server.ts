import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { Server as NodeServer } from 'node:http';
import { StoreError } from '../../domain/errors.js';
import { offered, operations } from '../../domain/operations.js';
import { senderText, type Sender } from '../../domain/keys.js';
import type { LedgerSource } from '../../domain/ledger/ledger-entry.js';
import type { Client, Shop } from '../../domain/shop.js';
import { guardRequests } from './request-guard.js';
import { callsRoute } from './call-each-route.js';
import { asksRows } from './answers.js';
import { checkExposure, door } from './authenticate.js';
import { eventStreams, type EventStreams } from './event-stream.js';
import { failureEntry, refusalOf } from './errors.js';
import { importRoutes } from './import-routes.js';
import { instance } from './fastify-instance.js';
import { listenPrivately, notListening, removeLeftover, unusedConnections } from './listen.js';
import { clientKey } from './rate-limit.js';
import { metrics, type Metrics } from './metrics.js';
import { documentRoutes, metricsRoute, probeRoutes } from './pages.js';
import type { Premises, ServeOptions } from './server-options.js';
import { requestLog } from './request-log.js';
import { requestIds } from './request-head.js';
import { contractRoute, onceAtATime, routeOf, type Routing } from './routes.js';
import { timedShop } from './timed-shop.js';
import { answerUnrouted } from './not-found.js';

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

function clientOf(request: FastifyRequest): Client {
  return { key: clientKey(request), isGone: () => request.socket.destroyed };
}

/** What a failure means to whoever asked; one that nobody expected goes into the log. */
function refusals({ log }: Premises): Routing['refusalFor'] {
  return (error, { id }) => {
    const refusal = refusalOf(error);
    if (refusal !== undefined) return refusal;
    log.error({ ...failureEntry(error), id });
    return new StoreError('internal_error', `Something went wrong here; the log has it under request ${id}.`);
  };
}

/** Builds the server: every operation of the contract, the probes and the documents, behind one door. */
export async function application(premises: Premises, options: ServeOptions): Promise<Application> {
  const { basePath, stableOnly } = options;
  const refusalFor = refusals(premises);
  const streams = eventStreams();
  const counted = metrics(streams.count);
  const app = instance(options, { ids: requestIds(premises.randomText()), refusalFor, ...requestLog(premises.log, counted) });
  let retired = false;
  // Not before: what was asked earlier may be answered when the server is about to end.
  app.addHook('onSend', (_, reply, payload, done) => {
    if (retired) reply.header('connection', 'close');
    done(null, payload);
  });
  const entrance = door(premises, options);
  await guardRequests(app, entrance, options);
  const senderOf = ({ visitor }: FastifyRequest): Sender => ({ actor: visitor?.actor ?? premises.actor, token: visitor?.token?.id });
  const shopOf = ({ actor, token }: Sender, source: LedgerSource, client?: Client): Shop => timedShop(premises.shopOf(actor, source, token, client), counted);
  const routing: Routing = {
    ...options,
    clock: premises.clock,
    // Our own client is the command line, elsewhere.
    shopFor: (request) => shopOf(senderOf(request), asksRows(request) ? 'cli' : 'http', clientOf(request)),
    once: onceAtATime((request) => senderText(senderOf(request))),
    door: entrance,
    refusalFor,
  };
  const served = offered(stableOnly);
  const routes = [...operations.map((operation) => routeOf(operation, routing)), ...importRoutes(routing), callsRoute(routing), streams.route(routing)];
  for (const route of routes) if (served.includes(route.operation)) app.route(contractRoute(route, routing));
  const pages: readonly RouteOptions[] = [
    ...probeRoutes(basePath, shopOf({ actor: premises.actor }, 'http'), () => retired),
    ...documentRoutes(basePath, stableOnly, premises.docsFolder),
    metricsRoute(basePath, counted),
  ];
  for (const page of pages) app.route(page);
  answerUnrouted(app, [...served, ...pages.map(({ url }) => ({ method: 'GET', path: url.slice(basePath.length) }))], basePath);
  await app.ready();
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

// Clients that keep their connection are told with their next answer; this is how long they have to ask for one.
const farewell = 150;
const sweepEvery = 50;

async function end({ app, streams, retire, closeUnused, metrics: counted }: Application, patience: number): Promise<void> {
  retire();
  streams.end();
  await new Promise((resolve) => setTimeout(resolve, farewell));
  const server: NodeServer = app.server;
  const late = setTimeout(() => server.closeAllConnections(), patience);
  const sweep = setInterval(closeUnused, sweepEvery);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(late);
    counted.stop();
  }
}

/** Starts a server. Refuses with `usage` to serve other machines without tokens, or at an address that is taken. */
export async function serve(premises: Premises, options: ServeOptions): Promise<Server> {
  await checkExposure(options, premises);
  const built = await application(premises, options);
  const { host, port, socket, basePath, patience } = options;
  try {
    if (socket !== undefined) await removeLeftover(socket);
    const address =
      socket === undefined
        ? await built.app.listen({ host, port })
        : await listenPrivately(socket, premises.setUmask, () => built.app.listen({ path: socket }));
    return { address: `${address}${basePath}`, stop: () => end(built, patience.stop) };
  } catch (error) {
    await built.app.close();
    built.metrics.stop();
    throw notListening(error, socket ?? `${host}:${port}`);
  }
}
