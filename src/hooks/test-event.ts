import { randomBytes } from 'node:crypto';
import type { SendingHook } from '../domain/hooks/hook-queue.js';
import { formatDateTime } from '../domain/values/time.js';
import { connect } from './request.js';
import { signedHeaders } from './signature.js';

/** A test event that was sent, and how it was received. */
interface SentTest {
  readonly event: string;
  readonly status: number | undefined;
  readonly error: string | undefined;
  readonly milliseconds: number;
}

/** Sends a test event to a hook at once, also to a paused one; it changes nothing. */
export async function sendTestEvent(hook: SendingHook, clock: () => number): Promise<SentTest> {
  const connection = connect(hook, clock);
  const now = clock();
  const body = JSON.stringify({ type: 'test', timestamp: formatDateTime(now), data: { hookId: hook.id } });
  const event = `evt_test_${randomBytes(8).toString('hex')}`;
  const started = performance.now();
  const { status, error } = await connection.send(signedHeaders(event, Math.floor(now / 1000), body, hook.secrets), body).finally(connection.close);
  return { event, status, error, milliseconds: Math.round(performance.now() - started) };
}
