import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../domain/errors.js';
import { keptDeliveries, type HookDelivery } from '../domain/hooks/hook.js';
import type { HookEvent } from '../domain/hooks/hook-event.js';
import type { HookProgress, HookQueue, SendingHook } from '../domain/hooks/hook-queue.js';
import { retryPauseMs } from '../domain/hooks/retry-schedule.js';
import type { LedgerPosition } from '../domain/ledger/ledger-position.js';
import { formatDateTime } from '../domain/values/time.js';
import { keptConnections, type KeptConnection, type KeptConnections } from './kept-connections.js';
import { messageOf, type Message } from './message.js';
import { requestTurns, type RequestTurns } from './request-turns.js';
import { answerMs, type Outcome, type Resolve } from './request.js';
import { signedHeaders } from './signature.js';

/** How long a sender keeps a hook without news of it: another one takes over within 30 s. */
const holdMs = 25_000;
/** A sender keeps a hook for longer when less than this is left. */
const renewMs = 20_000;
/** A request is begun only while the hook is kept until it ends. */
const requestMs = answerMs + 1000;
/** How long requests that are under way may take after a stop. */
const stopMs = 3000;
/** How often progress is stored; a sender that is killed repeats what it sent since. */
const storeEveryMs = 500;
/** How often the positions of hooks that had nothing to send are stored. */
const skipEveryMs = 5000;
/** How often hooks are read again while the ledger does not move: they may be new, resumed or due for another attempt. */
const readEveryMs = 1000;
/** How far apart hooks are read while the ledger moves. */
const lookEveryMs = 100;
/** What a sender needs from outside. */
export interface SenderDependencies {
  readonly queue: HookQueue;
  /** Waits until the ledger has moved since the last call, or for a time in ms; answers whether it has moved. */
  readonly moved: (withinMs: number) => Promise<boolean>;
  /** How far apart requests begin while changes are made, in ms, for all hooks together: the changes come first. */
  readonly requestEveryMs: number;
  readonly clock: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** A text that no other sender has. */
  readonly holder: string;
  /** Called after each request. */
  readonly onSent: (hook: SendingHook, message: Message, outcome: Outcome & { readonly pauses: boolean }) => void;
  /** Called when the shop cannot be read or written to; the sender goes on. */
  readonly onError: (error: StoreError) => void;
  readonly resolve?: Resolve | undefined;
  readonly timeoutMs?: number | undefined;
}

/** A running sender. */
export interface HookSender {
  /** Ends when it was stopped; with `once`, when nothing is due any more. */
  readonly ended: Promise<void>;
  /** Stops after the requests that are under way. */
  readonly stop: () => void;
}

/** A hook that this sender has taken and sends for. */
interface Run extends KeptConnection {
  readonly hook: SendingHook;
  /** The position in the store. */
  stored: LedgerPosition;
  position: LedgerPosition;
  failure: { readonly attempts: number; readonly nextAttemptAt: number; readonly error: string; readonly pauses: boolean } | undefined;
  lastSentAt: number | undefined;
  heldUntil: number;
  deliveries: readonly Omit<HookDelivery, 'id'>[];
  isOver: boolean;
}

function progressOf(run: Run, heldUntil: number): HookProgress {
  const { hook, stored, position, failure, lastSentAt, deliveries } = run;
  const hasMoved = position.id !== hook.position.id;
  return {
    id: hook.id,
    from: stored,
    position,
    // The failed attempts before this run count until a request succeeds.
    attempts: failure?.attempts ?? (hasMoved ? 0 : hook.attempts),
    nextAttemptAt: failure?.nextAttemptAt ?? (hasMoved ? 0 : hook.nextAttemptAt),
    error: failure?.error,
    pauses: failure?.pauses ?? false,
    lastSentAt,
    heldUntil,
    deliveries,
  };
}

/** What a sender knows. */
interface State extends SenderDependencies {
  readonly once: boolean;
  readonly runs: Map<number, Run>;
  readonly connections: KeptConnections;
  /** Positions of hooks that had nothing to send, beyond those in the store. */
  readonly skipped: Map<number, { readonly from: LedgerPosition; readonly position: LedgerPosition }>;
  /** Hooks that were tried, in a run that ends: each is tried once. */
  readonly tried: Set<number>;
  shopId: string;
  isStopping: boolean;
  /** The error of the shop that ended a run; `loop` reports it after the progress of the run is stored. */
  failure: { readonly error: unknown } | undefined;
  storedAt: number;
  skippedAt: number;
  readonly turns: RequestTurns;
}

/** Sends one request and notes how it ended; answers whether the next one may follow. */
async function sendOne(state: State, run: Run, events: readonly HookEvent[]): Promise<boolean> {
  const { hook, connection } = run;
  const message = messageOf(events, state.shopId, hook.batch);
  const started = performance.now();
  const outcome = await connection.send(signedHeaders(message.id, Math.floor(state.clock() / 1000), message.body, hook.secrets), message.body);
  const now = state.clock();
  const attempts = run.position.id === hook.position.id ? hook.attempts + 1 : 1;
  const { status, error } = outcome;
  const milliseconds = Math.round(performance.now() - started);
  // Given up, or the connection was closed to stop: the event is sent again later.
  if (run.isOver) return false;
  const delivery = { at: formatDateTime(now), event: message.id, type: message.type, attempt: attempts, milliseconds, status, error };
  run.deliveries = [...run.deliveries.slice(1 - keptDeliveries), delivery];
  if (error === undefined) {
    run.position = events.at(-1)?.next ?? run.position;
    run.lastSentAt = now;
  } else {
    const pauseMs = retryPauseMs({ attempts, retryAfterMs: outcome.retryAfterMs, gone: status === 410 }, state.random());
    run.failure = { attempts, nextAttemptAt: pauseMs === undefined ? 0 : now + pauseMs, error, pauses: pauseMs === undefined };
  }
  state.onSent(hook, message, { ...outcome, pauses: run.failure?.pauses ?? false });
  return error === undefined;
}

function mayGoOn(state: State, run: Run): boolean {
  return !state.isStopping && !run.isOver && run.heldUntil - state.clock() > requestMs;
}

/** Sends what is due for a hook until nothing is left, a request fails, or the hook is not kept any longer. */
async function work(state: State, run: Run, first: readonly HookEvent[]): Promise<void> {
  const { batch } = run.hook;
  let events = first;
  while (events.length > 0) {
    for (let index = 0; index < events.length; index += batch) {
      await state.turns.take();
      if (!mayGoOn(state, run) || !(await sendOne(state, run, events.slice(index, index + batch)))) return;
    }
    const [due] = await state.queue.due([{ ...run.hook, position: run.position }]);
    if (due === undefined) return;
    if (due.events.length === 0) run.position = due.end;
    events = due.events;
  }
}

function begin(state: State, hook: SendingHook, events: readonly HookEvent[], heldUntil: number): void {
  const run: Run = {
    ...state.connections.take(hook),
    hook,
    stored: hook.position,
    position: hook.position,
    failure: undefined,
    lastSentAt: undefined,
    heldUntil,
    deliveries: [],
    isOver: false,
  };
  state.runs.set(hook.id, run);
  state.tried.add(hook.id);
  void work(state, run, events)
    .catch((error: unknown) => (state.failure = { error }))
    .finally(() => {
      if (run.isOver || run.failure !== undefined) run.connection.close();
      else state.connections.keep(hook.id, run);
      run.isOver = true;
    });
}

/** The shop may be locked or away for a while: the sender tries again. */
function report(state: State, error: unknown): void {
  if (!(error instanceof StoreError)) throw error;
  state.onError(error);
}

/** Pauses a hook whose position the ledger no longer has: the owner decides from where it goes on. */
async function pauseLost(state: State, { id, position }: SendingHook): Promise<void> {
  const error = `The ledger no longer has entry ${position.id} as it was sent: the shop went back to an earlier state. Use petstore hook resend ${id} --from <entry>, then resume it.`;
  const facts = { id, from: position, position, attempts: 1, nextAttemptAt: 0, error, pauses: true, lastSentAt: undefined, heldUntil: 0, deliveries: [] };
  if ((await state.queue.take([id], state.holder, state.clock() + holdMs)).length > 0) await state.queue.store([facts], state.holder);
}

/** Looks for hooks with something to send, takes them and begins to send. */
async function look(state: State): Promise<void> {
  const free = await state.queue.free();
  const candidates = free.filter(({ id }) => !state.runs.has(id) && !(state.once && state.tried.has(id)));
  const ahead = ({ id, position }: SendingHook): LedgerPosition => {
    const move = state.skipped.get(id);
    return move?.from.id === position.id ? move.position : position;
  };
  const due = candidates.length === 0 ? [] : await state.queue.due(candidates.map((hook) => ({ ...hook, position: ahead(hook) })));
  const ready: { readonly hook: SendingHook; readonly events: readonly HookEvent[] }[] = [];
  for (const [index, hook] of candidates.entries()) {
    const found = due[index];
    if (found === undefined) await pauseLost(state, hook);
    else if (found.events.length > 0) ready.push({ hook, events: found.events });
    else if (found.end.id > hook.position.id) state.skipped.set(hook.id, { from: hook.position, position: found.end });
  }
  if (ready.length === 0) return;
  state.shopId ||= await state.queue.shopId();
  const until = state.clock() + holdMs;
  const taken = new Set(
    await state.queue.take(
      ready.map(({ hook }) => hook.id),
      state.holder,
      until,
    ),
  );
  for (const { hook, events } of ready) if (taken.has(hook.id)) begin(state, hook, events, until);
}

/** Stores what the runs found out, keeps those that go on, and gives up those that are over. */
async function store(state: State): Promise<void> {
  const until = state.clock() + holdMs;
  const changed = [...state.runs.values()].filter(
    ({ isOver, deliveries, heldUntil }) => isOver || deliveries.length > 0 || heldUntil - state.clock() < renewMs,
  );
  if (changed.length > 0) {
    const before = changed.map((run) => ({ run, wasOver: run.isOver, progress: progressOf(run, run.isOver ? 0 : until) }));
    const kept = new Set(
      await state.queue.store(
        before.map(({ progress }) => progress),
        state.holder,
      ),
    );
    for (const { run, wasOver, progress } of before) {
      run.deliveries = run.deliveries.filter((one) => !progress.deliveries.includes(one));
      if (wasOver) state.runs.delete(run.hook.id);
      // The owner has moved or deleted the hook, or another sender has it.
      else if (!kept.has(run.hook.id)) run.isOver = true;
      else {
        run.stored = progress.position;
        run.heldUntil = until;
      }
      state.skipped.delete(run.hook.id);
    }
  }
  if (state.skipped.size > 0 && (state.isStopping || state.once || state.clock() - state.skippedAt >= skipEveryMs)) {
    await state.queue.skip([...state.skipped].filter(([id]) => !state.runs.has(id)).map(([id, move]) => ({ id, ...move })));
    state.skipped.clear();
    state.skippedAt = state.clock();
  }
  state.storedAt = state.clock();
}

async function loop(state: State): Promise<void> {
  for (;;) {
    try {
      if (!state.isStopping) await look(state);
      if (state.runs.size > 0 || state.skipped.size > 0) {
        if ([...state.runs.values()].some(({ isOver }) => isOver) || state.clock() - state.storedAt >= storeEveryMs) await store(state);
      }
      if (state.failure) {
        const { error } = state.failure;
        state.failure = undefined;
        throw error;
      }
    } catch (error) {
      if (state.once) throw error;
      report(state, error);
    }
    const isDone = (state.isStopping || state.once) && state.runs.size === 0 && state.skipped.size === 0;
    state.connections.close(isDone);
    if (isDone) return;
    if (!state.once) await sleep(lookEveryMs);
    if (await state.moved(state.runs.size > 0 || state.isStopping || state.once ? storeEveryMs / 5 : readEveryMs)) state.turns.changed();
  }
}

/** Sends the events of a shop to its hooks: in ledger order for each, at the same time for different ones. */
export function startSender(dependencies: SenderDependencies, { once = false } = {}): HookSender {
  const known = { runs: new Map<number, Run>(), skipped: new Map<number, never>(), tried: new Set<number>() };
  const times = { storedAt: 0, skippedAt: dependencies.clock() };
  const [connections, turns] = [keptConnections(dependencies), requestTurns(dependencies.requestEveryMs)];
  const state: State = { ...dependencies, ...known, ...times, connections, turns, once, shopId: '', isStopping: false, failure: undefined };
  const stop = (): void => {
    state.isStopping = true;
    turns.stop();
    setTimeout(() => {
      for (const run of state.runs.values()) {
        run.isOver = true;
        run.connection.close();
      }
    }, stopMs).unref();
  };
  return { ended: loop(state), stop };
}
