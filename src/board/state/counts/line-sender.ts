import { computed, effect, signal } from '@preact/signals';
import { jitter, randomText, waitForNetwork } from '../clock.js';
import { markStale } from '../live/stale.js';
import { call } from '../server/call.js';
import { isUncertain, RefusalError } from '../server/refusal.js';
import { isSignedIn, session } from '../session.js';
import { identifyPet } from '../identify-pet.js';
import type { ShownLine } from './last-lines.js';
import {
  isFull,
  isPending,
  maximumSent,
  nextTask,
  refusedAmong,
  whenDismissed,
  whenFound,
  whenRefused,
  whenSent,
  whenStored,
  whenTakenIn,
  whenUndoAsked,
  whenUndone,
  withLine,
  type QueueTask,
  type TypedLine,
  type TypedNumber,
} from './line-queue.js';

/** The lines that were typed in this page, oldest first. They stay in its memory until the shop has them. */
export const typedLines = signal<readonly TypedLine[]>([]);

/** Why lines wait; undefined while the shop answers. */
export const waitReason = signal<RefusalError | undefined>(undefined);

/** How many lines are pending. */
export const pendingLines = computed(() => typedLines.value.filter(isPending).length);

/** The name in whose session lines are typed and sent. */
const ownName = computed(() => (isSignedIn.value && typeof session.value === 'object' ? session.value.name : undefined));

/** The waiting lines that were typed in a session of another name, in which they will be sent. */
export const foreignLines = computed(() => typedLines.value.filter((line) => isPending(line) && line.by !== ownName.value));

function set(next: readonly TypedLine[]): void {
  typedLines.value = next;
}

let limit = maximumSent;

type Send = Extract<QueueTask, { readonly does: 'send' }>;

async function send({ lines }: Send): Promise<void> {
  const [{ countId }] = lines;
  set(whenSent(typedLines.peek(), lines));
  const body = { lines: lines.map(({ key, pet, number, adds, also }) => ({ key, petId: pet.id ?? 0, number, adds, also })) };
  const answer = await call('addCountLines', { countId, body });
  set(whenStored(typedLines.peek(), answer.lines));
  limit = maximumSent;
  markStale();
}

async function perform(task: QueueTask): Promise<void> {
  if (task.does === 'send') return send(task);
  const { line } = task;
  if (task.does === 'undo') {
    await call('undoCountLine', { countId: line.countId, lineId: task.id });
    set(whenUndone(typedLines.peek(), line));
    return markStale();
  }
  const { text } = line.pet;
  const { petId, name, code, units } = await identifyPet(text);
  if (line.unlessCode !== undefined && code === undefined) return set(whenRefused(typedLines.peek(), [line], line.unlessCode));
  set(whenFound(typedLines.peek(), line, { text, id: petId, name }, units));
}

/** The shop refused a task for good. */
function refuse(task: QueueTask, refusal: RefusalError): void {
  const lines = typedLines.peek();
  if (task.does === 'undo') return set(whenUndone(lines, task.line, refusal.message));
  if (task.does === 'find') return set(whenRefused(lines, [task.line], refusal.message));
  const refused = refusedAmong(task.lines, refusal);
  // It does not say which of them: half as many are sent, down to one.
  if (refused === undefined) return void (limit = Math.ceil(task.lines.length / 2));
  set(whenRefused(lines, refused, refusal.message, refusal.code === 'not_in_count'));
}

/** Whether the shop may take the same lines later. */
function isTemporary(refusal: RefusalError): boolean {
  return isUncertain(refusal) || [401, 408, 429].includes(refusal.status);
}

const [leastPauseMs, longestPauseMs] = [250, 4000];

function refusalOf(error: unknown): RefusalError {
  if (error instanceof RefusalError) return error;
  reportError(error);
  return new RefusalError('foreign_answer', 'The page cannot read what the server answered.', 0);
}

let isRunning = false;

/** Performs one task after the other until there is none that this session may perform. */
async function work(): Promise<void> {
  if (isRunning) return;
  isRunning = true;
  for (let failures = 0; ;) {
    const by = ownName.peek();
    const task = by === undefined ? undefined : nextTask(typedLines.peek(), by, limit);
    if (task === undefined) break;
    try {
      await perform(task);
      failures = 0;
      waitReason.value = undefined;
    } catch (error) {
      const refusal = refusalOf(error);
      if (isTemporary(refusal)) {
        // The page asks to sign in again.
        waitReason.value = refusal.status === 401 ? undefined : refusal;
        failures += 1;
        await waitForNetwork(Math.min(longestPauseMs, leastPauseMs * 2 ** failures) * jitter());
      } else refuse(task, refusal);
    }
  }
  waitReason.value = undefined;
  isRunning = false;
}

/** A line as it was typed. */
export type NewLine = Pick<TypedLine, keyof TypedNumber | 'countId' | 'pet' | 'unlessCode'>;

/** Keeps a line and sends it, or shows it as refused for `reason`. Returns false if no further line can be kept. */
export function takeLine(line: NewLine, reason?: string): boolean {
  const by = ownName.peek();
  if (by === undefined || isFull(typedLines.peek())) return false;
  const state = reason === undefined ? ({ is: 'waiting', wasSent: false } as const) : ({ is: 'refused', reason, isOutside: false } as const);
  set(withLine(typedLines.peek(), { ...line, key: randomText(), by, also: false, state, awaitsUndo: false }));
  void work();
  return true;
}

/** Undoes a line: one that was typed in this page, or one that the shop has from elsewhere. */
export function undoLine(line: ShownLine): void {
  const by = ownName.peek();
  const lines = typedLines.peek();
  const isOwn = lines.some(({ key }) => key === line.key);
  if (by === undefined || (!isOwn && isFull(lines))) return;
  set(whenUndoAsked(isOwn ? lines : withLine(lines, { ...line, by, also: false }), line.key));
  void work();
}

/** Forgets a line that was refused. */
export function dismissLine(key: string): void {
  set(whenDismissed(typedLines.peek(), key));
}

/** Sends a line again whose pet is not in the count, and takes the pet in. */
export function takeIn(key: string): void {
  set(whenTakenIn(typedLines.peek(), key));
  void work();
}

/** Sends what waits when somebody signs in again, and warns who leaves the page while lines wait. */
export function startSendingLines(): void {
  effect(() => {
    if (ownName.value !== undefined) void work();
  });
  addEventListener('beforeunload', (event) => {
    if (pendingLines.peek() > 0) event.preventDefault();
  });
}
