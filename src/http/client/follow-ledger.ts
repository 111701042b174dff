import { setTimeout as sleep } from 'node:timers/promises';
import { eventStream, streamEvents } from '../../domain/ledger/stream-events.js';
import { ledgerEntry, type LedgerEntry } from '../../domain/ledger/ledger-entry.js';
import type { Client } from './remote-connection.js';
import { inShape, longAnswer, parsed, refusalIn, unreachable } from './errors.js';
import { shaped } from './answer-shapes.js';
import { linesOf, Lost, maximumRefusal, textOf } from './transport.js';
import { headerNames } from '../contract/headers.js';

const pause = 500;

// An actor of 100 and a note of 500 characters, each at most twelve bytes of JSON, and numbers.
const maximumEvent = 64 << 10;

function entryIn(text: string, where: string): LedgerEntry {
  return inShape(where, () => shaped(ledgerEntry, parsed(text, where))) as LedgerEntry;
}

/** The entries of one connection to the event stream, until it ends. */
async function* connection(client: Client, seen: number | undefined): AsyncGenerator<LedgerEntry, void> {
  const resumed = seen === undefined ? {} : { [headerNames.lastEventId]: String(seen) };
  const message = await client.exchange.ask({ method: 'GET', path: streamEvents.path, headers: { ...client.headers, ...resumed }, answerMs: Infinity });
  if (message.headers['content-type']?.startsWith(eventStream) !== true) {
    const text = await textOf(message, maximumRefusal);
    if (text === undefined) throw longAnswer(client.where, maximumRefusal);
    throw refusalIn(message.statusCode ?? 0, text, client.where);
  }
  for await (const line of linesOf(message, maximumEvent)) {
    if (line === undefined) throw longAnswer(client.where, maximumEvent);
    if (line.startsWith('data: ')) yield entryIn(line.slice('data: '.length), client.where);
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
