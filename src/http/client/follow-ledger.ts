import { setTimeout as sleep } from 'node:timers/promises';
import { isPassing } from '../../domain/errors.js';
import { eventStream, streamEvents } from '../../domain/ledger/stream-events.js';
import { namedEntry, type NamedEntry } from '../../domain/ledger/named-entry.js';
import { eventIdOf, positionAfter, type LedgerPosition } from '../../domain/ledger/ledger-position.js';
import { refusalIn, unreachable } from './errors.js';
import { checkShape, parseJson } from './check-shape.js';
import { linesOf, ConnectionLostError, maximumRefusalBytes, textOf, type RemoteConnection } from './transport.js';
import { headerNames } from '../contract/headers.js';

const reconnectDelayMs = 500;

// A name of 100 and a note of 500 characters, at most 12 bytes of JSON each, and numbers.
const maximumEventBytes = 64 << 10;

/** The entries of one connection to the event stream. */
async function* streamEntries(connection: RemoteConnection, lastSeen: LedgerPosition | undefined): AsyncGenerator<NamedEntry, void> {
  const resumed = lastSeen === undefined ? {} : { [headerNames.lastEventId]: eventIdOf(lastSeen) };
  const message = await connection.transport.send({
    method: 'GET',
    path: streamEvents.path,
    headers: { ...connection.headers, ...resumed },
    answerMs: Infinity,
  });
  if (message.headers['content-type']?.startsWith(eventStream) !== true) {
    const text = await textOf(message, maximumRefusalBytes, connection.where);
    throw refusalIn(message.statusCode ?? 0, text, connection.where);
  }
  let isExpired = false;
  for await (const line of linesOf(message, maximumEventBytes, connection.where)) {
    if (line.startsWith('event: ')) isExpired = line === 'event: expired';
    if (!line.startsWith('data: ')) continue;
    const data = line.slice('data: '.length);
    if (isExpired) throw refusalIn(message.statusCode ?? 0, data, connection.where);
    yield checkShape(namedEntry, parseJson(data, connection.where), connection.where) as NamedEntry;
  }
}

/**
 * Follows the ledger of a server. Reconnects after the last entry, also where the server refuses what passes by itself; refuses like the
 * server, or with `store_unreachable`, when that fails for longer than `waitSeconds`, and with `cursor_expired` when the ledger no longer
 * has that entry.
 */
export async function* followRemote(connection: RemoteConnection, after: LedgerPosition | undefined): AsyncGenerator<readonly NamedEntry[], void> {
  let lastSeen = after;
  let disconnectedAt: number | undefined;
  for (;;) {
    try {
      for await (const entry of streamEntries(connection, lastSeen)) {
        disconnectedAt = undefined;
        yield [entry];
        lastSeen = positionAfter(entry);
      }
      disconnectedAt = undefined;
    } catch (error) {
      const isLost = error instanceof ConnectionLostError;
      if (!isLost && !isPassing(error)) throw error;
      disconnectedAt ??= performance.now();
      if (performance.now() - disconnectedAt > connection.waitSeconds * 1000) throw isLost ? unreachable(connection.where, error) : error;
    }
    await sleep(reconnectDelayMs);
  }
}
