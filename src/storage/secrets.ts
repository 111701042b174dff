const secretBytes = 32;

/** The module node:crypto, loaded on first use, which saves start-up time. */
export const crypto = (): typeof import('node:crypto') => process.getBuiltinModule('node:crypto');

/** A new secret of 256 random bits: 43 characters of base64url. */
export function newSecret(): string {
  return crypto().randomBytes(secretBytes).toString('base64url');
}

/** The SHA-256 of a text, in hexadecimal digits: what is stored of a secret. */
export function sha256(text: string): string {
  return crypto().createHash('sha256').update(text).digest('hex');
}
