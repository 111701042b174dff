import type { LedgerSource } from '../../domain/ledger/ledger-entry.js';
import type { Client, Shop } from '../../domain/shop.js';
import type { TokenKeeper } from '../../domain/tokens/token-keeper.js';
import type { Auth } from './access-rules.js';
import type { SetUmask } from './listen.js';

/** One line of the log. */
export interface LogEntry {
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** Where a server writes what happened, one JSON object a line. */
export interface Log {
  readonly info: (entry: LogEntry) => void;
  readonly error: (entry: LogEntry) => void;
}

/** What a server stands in front of. */
export interface Premises {
  /** The shop as somebody works on it, through a door that the ledger names; `token` is the id of the token that the request carries, `client` who waits for the answers. */
  readonly shopOf: (actor: string, source: LedgerSource, token?: number, client?: Client) => Shop;
  readonly tokens: TokenKeeper;
  /** Who the ledger names where nobody had to say who they are. */
  readonly actor: string;
  /** The folder of the documentation page's files. */
  readonly docsFolder: string;
  readonly log: Log;
  readonly setUmask: SetUmask;
  /** The present instant, ms since 1970. */
  readonly clock: () => number;
  /** A text nobody can guess, to tell requests of one server from those of another. */
  readonly randomText: () => string;
}

/** How a server is to behave. */
export interface ServeOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** A path of a Unix socket to listen on instead of a port. */
  readonly socket?: string | undefined;
  /** What stands before every path, such as /shop; empty for nothing. */
  readonly basePath: string;
  readonly auth: Auth;
  /** Serves other machines without asking for a token. */
  readonly insecureNoAuth: boolean;
  readonly allowedHosts: readonly string[];
  readonly corsOrigins: readonly string[];
  /** Leaves beta and experimental operations out. */
  readonly stableOnly: boolean;
  /** Answers 410 to a deprecated operation after its sunset. */
  readonly enforceSunset: boolean;
  /** Refuses changes of versioned records without If-Match. */
  readonly requireIfMatch: boolean;
  /** Requests a minute for each token or address; 0 for no limit, undefined for 600 off this machine. */
  readonly rateLimit?: number | undefined;
  /** How long requests may take in their parts, in ms. */
  readonly patience: Patience;
}

/** How long the parts of a request may take, in ms. */
export interface Patience {
  readonly headers: number;
  readonly body: number;
  /** How long an import may arrive slowly, and how long it may take in all. */
  readonly slowUpload: number;
  readonly upload: number;
  readonly keepAlive: number;
  /** How long a client may read nothing of its answer; it is disconnected after this time, or twice it at the latest. */
  readonly write: number;
  /** How long requests may still run after the server was told to stop. */
  readonly stop: number;
}

/** The patience of a server unless told otherwise. */
export const usualPatience: Patience = { headers: 10_000, body: 30_000, slowUpload: 30_000, upload: 3_600_000, keepAlive: 5_000, write: 15_000, stop: 10_000 };
