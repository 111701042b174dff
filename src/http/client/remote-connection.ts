import type { Transport } from './transport.js';

/** How to reach a shop through a server. */
export interface RemoteOptions {
  readonly address: URL;
  readonly token: string | undefined;
  /** The name for the ledger; with a token the server uses the name of the token. */
  readonly actor: string;
  /** How long to retry when the connection fails. */
  readonly waitSeconds: number;
  /** How long a complete answer may take; the default is 120 s. */
  readonly answerMs?: number;
  /** Allows sending a token unencrypted to another machine. */
  readonly insecure: boolean;
  /** A unique text: the idempotency key of a change that may be sent again. */
  readonly randomText: () => string;
}

/** What all requests to one server share. */
export interface RemoteConnection extends Pick<RemoteOptions, 'waitSeconds' | 'randomText'> {
  readonly transport: Transport;
  readonly where: string;
  readonly headers: Readonly<Record<string, string>>;
}
