import type { HookEvent } from '../domain/hooks/hook-event.js';

/** What one request carries. */
export interface Message {
  /** The `webhook-id`: the same each time that the same events are sent. */
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

/** The request for the events of a hook: one event, or a list of them for a hook with batches. */
export function messageOf(events: readonly HookEvent[], shopId: string, batch: number): Message {
  const eventId = ({ id }: HookEvent): string => `evt_${shopId}_${id}`;
  const [first] = events;
  if (first === undefined) throw new Error('A request needs an event.');
  if (batch === 1) return { id: eventId(first), type: first.type, body: JSON.stringify({ type: first.type, timestamp: first.at, data: first.data }) };
  const last = events.at(-1) ?? first;
  const data = events.map((event) => ({ id: eventId(event), type: event.type, timestamp: event.at, data: event.data }));
  // A retry may carry more events than the attempt before, so the id names the last one too.
  return { id: `${eventId(first)}-${last.id}`, type: 'events', body: JSON.stringify({ type: 'events', timestamp: last.at, data }) };
}
