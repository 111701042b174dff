import { createHmac } from 'node:crypto';
import { secretKey } from '../domain/hooks/hook-secret.js';

/** The headers of a signed request, by Standard Webhooks 1.0: one signature for each secret. `timestamp` is in seconds since 1970. */
export function signedHeaders(id: string, timestamp: number, body: string, secrets: readonly string[]): Readonly<Record<string, string>> {
  const signatures = secrets.map(
    (secret) =>
      `v1,${createHmac('sha256', Buffer.from(secretKey(secret), 'base64'))
        .update(`${id}.${timestamp}.${body}`)
        .digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') };
}
