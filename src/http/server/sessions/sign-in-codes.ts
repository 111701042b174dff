import { createHash, randomBytes } from 'node:crypto';
import type { NewSession } from '../../../domain/sessions/session-keeper.js';

const codeBytes = 32;
const validMs = 60_000;

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
  readonly issuedAt: number;
  session?: Promise<NewSession>;
}

function digestOf(code: string): string {
  return createHash('sha256').update(code).digest('base64');
}

/** The codes of one server, which issues one when it starts. */
export function signInCodes(clock: () => number): SignInCodes {
  const issued = new Map<string, IssuedCode>();
  const find = (code: string): IssuedCode | undefined => {
    const found = issued.get(digestOf(code));
    // One that was used is kept: whenever it is used again, its session must end.
    if (found === undefined || found.session !== undefined) return found;
    const age = clock() - found.issuedAt;
    // Negative after the clock was set back.
    return age >= 0 && age < validMs ? found : undefined;
  };
  return {
    isIssued: (code) => find(code) !== undefined,
    issue: () => {
      const code = randomBytes(codeBytes).toString('base64url');
      issued.set(digestOf(code), { issuedAt: clock() });
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
