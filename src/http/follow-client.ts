import { setTimeout as sleep } from 'node:timers/promises';
import { eventStream, streamEvents } from '../domain/events.js';
import type { LedgerEntry } from '../domain/ledger.js';
import type { Client } from './client.js';
import { parsed, refusalIn, unreachable } from './client-failures.js';
import { linesOf, Lost, textOf } from './exchange.js';
import { headerNames } from './wire.js';

const pause = 500;

/** The entries of one connection to the event stream, until it ends. */
async function* connection(client: Client, seen: number | undefined): AsyncGenerator<LedgerEntry, void> {
  const resumed = seen === undefined ? {} : { [headerNames.lastEventId]: String(seen) };
  const message = await client.exchange.ask({ method: 'GET', path: streamEvents.path, headers: { ...client.headers, ...resumed } });
  if (message.headers['content-type']?.startsWith(eventStream) !== true) throw refusalIn(message.statusCode ?? 0, await textOf(message), client.where);
  for await (const line of linesOf(message)) {
    if (line.startsWith('data: ')) yield parsed(line.slice('data: '.length), client.where) as LedgerEntry;
  }
}

/** Follows the ledger of a server; where the connection ends it goes on behind the last entry it saw. */
export async function* followRemote(client: Client, after: number | undefined): AsyncGenerator<readonly LedgerEntry[], void> {
  let seen = after;
  let brokenSince: number | undefined;
  for (;;) {
    try {
      for await (const entry of connection(client, seen)) {
        brokenSince = undefined;
        yield [entry];
        seen = entry.id;
      }
      brokenSince = undefined;
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      brokenSince ??= performance.now();
      if (performance.now() - brokenSince > client.wait * 1000) throw unreachable(client.where, error);
    }
    await sleep(pause);
  }
}
