import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { NewSession } from '../../../domain/sessions/session-keeper.js';

const codeBytes = 32;
const validMs = 60_000;
// A server issues one when it starts.
const maximumCodes = 10;

/** One-time codes for signing in, kept in memory as their SHA-256. */
export interface SignInCodes {
  /** A new code, valid once and for 60 s. */
  readonly issue: () => string;
  /** Whether a code was issued here, used or not: using it is no guess. */
  readonly isIssued: (code: string) => boolean;
  /** Uses a code: `start` starts its session the first time, and later uses get the same one. Undefined for a code that is unknown, or was not used within 60 s. */
  readonly redeem: (code: string, start: () => Promise<NewSession>) => Promise<{ readonly session: NewSession; readonly isFirst: boolean } | undefined>;
}

interface IssuedCode {
  readonly digest: Buffer;
  readonly expiresAt: number;
  session?: Promise<NewSession>;
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
    // A used one is kept: whenever it is used again, its session must end.
    issued = issued.filter(({ expiresAt, session }) => session !== undefined || (expiresAt > now && expiresAt <= now + validMs)).slice(-maximumCodes);
  };
  const find = (code: string): IssuedCode | undefined => {
    dropExpired();
    const digest = digestOf(code);
    return issued.find((one) => timingSafeEqual(one.digest, digest));
  };
  return {
    isIssued: (code) => find(code) !== undefined,
    issue: () => {
      const code = randomBytes(codeBytes).toString('base64url');
      issued = [...issued, { digest: digestOf(code), expiresAt: clock() + validMs }];
      dropExpired();
      return code;
    },
    redeem: async (code, start) => {
      const found = find(code);
      if (found === undefined) return undefined;
      const isFirst = found.session === undefined;
      found.session ??= start();
      try {
        return { session: await found.session, isFirst };
      } catch (error) {
        delete found.session;
        throw error;
      }
    },
  };
}
