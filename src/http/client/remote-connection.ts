import type { Exchange } from './transport.js';

/** How a shop behind a server is reached. */
export interface RemoteOptions {
  readonly address: URL;
  readonly token: string | undefined;
  /** Who asks; the server goes by the token instead where there is one. */
  readonly actor: string;
  /** How long to try again when the connection fails, in seconds. */
  readonly wait: number;
  /** How long a whole answer may take, where that is not the usual time. */
  readonly answerMs?: number;
  /** Lets a token travel to another machine unencrypted. */
  readonly insecure: boolean;
  /** A text nobody else comes up with: the key of a change that may have to be asked twice. */
  readonly randomText: () => string;
  /** A place to keep the bytes of a file while they pass, to send them a second time. */
  readonly spool: () => KeptBytes;
}

/** Bytes that are kept while they pass. */
export interface KeptBytes {
  readonly tee: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  readonly again: () => AsyncIterable<Uint8Array>;
  readonly close: () => void;
}

/** What every request of a client shares. */
export interface Client {
  readonly exchange: Exchange;
  readonly where: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly wait: number;
  readonly randomText: () => string;
  readonly spool: () => KeptBytes;
}
