import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const codeBytes = 32;
const validMs = 60_000;
// A server issues one when it starts.
const maximumCodes = 10;

/** One-time codes for signing in, kept in memory as their SHA-256. */
export interface SignInCodes {
  /** A new code, valid once and for 60 s. */
  readonly issue: () => string;
  /** Uses a code: `valid` the first time, then `used`; `unknown` after 60 s. */
  readonly redeem: (code: string) => 'valid' | 'used' | 'unknown';
}

interface IssuedCode {
  readonly digest: Buffer;
  readonly expiresAt: number;
  isUsed: boolean;
}

function digestOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}

/** The codes of one server. */
export function signInCodes(clock: () => number): SignInCodes {
  let issued: readonly IssuedCode[] = [];
  const dropExpired = (): void => {
    const now = clock();
    // One that expires later than a new one was issued before the clock was set back.
    issued = issued.filter(({ expiresAt }) => expiresAt > now && expiresAt <= now + validMs).slice(-maximumCodes);
  };
  return {
    issue: () => {
      const code = randomBytes(codeBytes).toString('base64url');
      issued = [...issued, { digest: digestOf(code), expiresAt: clock() + validMs, isUsed: false }];
      dropExpired();
      return code;
    },
    redeem: (code) => {
      dropExpired();
      const digest = digestOf(code);
      const found = issued.find((one) => timingSafeEqual(one.digest, digest));
      if (found === undefined) return 'unknown';
      if (found.isUsed) return 'used';
      found.isUsed = true;
      return 'valid';
    },
  };
}
