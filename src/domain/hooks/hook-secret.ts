import { StoreError } from '../errors.js';

const prefix = 'whsec_';
const leastBytes = 24;
const mostBytes = 64;

/** A secret in the form of Standard Webhooks: `whsec_` and base64. */
export function secretText(base64: string): string {
  return `${prefix}${base64}`;
}

/** The key of a secret, as base64. */
export function secretKey(secret: string): string {
  return secret.slice(prefix.length);
}

/** Checks a secret that the owner chose. Refuses with `validation_failed`, without naming it. */
export function checkedSecret(text: string): string {
  const secret = text.trim();
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const bytes = (base64.replaceAll('=', '').length * 3) >> 2;
  if (base64.length % 4 === 0 && bytes >= leastBytes && bytes <= mostBytes) return secret;
  throw new StoreError('validation_failed', `secret: must be whsec_ and ${leastBytes} to ${mostBytes} bytes in base64.`);
}
