import { createHash, randomBytes } from 'node:crypto';

const secretBytes = 32;

/** A new secret of 256 random bits: 43 characters of base64url. */
export function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** The SHA-256 of a secret, in hexadecimal digits: what is stored of it. */
export function secretDigest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
