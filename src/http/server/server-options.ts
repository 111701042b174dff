import type { LedgerSource } from '../../domain/ledger/ledger-entry.js';
import type { Client, Shop } from '../../domain/shop.js';
import type { ServerInfo } from '../../domain/sessions/session.js';
import type { SessionKeeper } from '../../domain/sessions/session-keeper.js';
import type { Token } from '../../domain/tokens/token.js';
import type { TokenKeeper } from '../../domain/tokens/token-keeper.js';

/** One line of the log. */
export interface LogEntry {
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** The log of a server. */
export interface Log {
  readonly info: (entry: LogEntry) => void;
  readonly error: (entry: LogEntry) => void;
}

/** What a server needs from outside: the shop, tokens, a log and the clock. */
export interface ServerDependencies {
  /** The shop for one request; `findClient` finds the client that takes turns with others in queues. */
  readonly shopOf: (actor: string, source: LedgerSource, token?: Pick<Token, 'id' | 'scopes'>, findClient?: () => Client) => Shop;
  readonly tokens: TokenKeeper;
  /** Refuses with `store_read_only` when the shop cannot be written to. */
  readonly checkWritable: () => Promise<void>;
  readonly sessions: SessionKeeper;
  /** What `GET /session` tells about the server. */
  readonly about: Pick<ServerInfo, 'version' | 'shop' | 'engine'>;
  /** The name recorded in the ledger for requests without token and actor header. */
  readonly actor: string;
  /** The folder with the page of the shop board in `board`, and the documentation page in `docs`. */
  readonly pagesFolder: string;
  readonly log: Log;
  /** Sets the umask of the process and returns the previous one. */
  readonly setUmask: (mask: number) => number;
  /** The present instant, ms since 1970. */
  readonly clock: () => number;
}

/** When a request must bring a token; `auto` is explained at `tokenRequirement`. */
export type Auth = 'auto' | 'required' | 'off';

/** The options of `petstore serve`. */
export interface ServeOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The path of a Unix socket to listen on instead of a port. */
  readonly socket?: string | undefined;
  /** The prefix of every path, such as /shop; may be empty. */
  readonly basePath: string;
  readonly auth: Auth;
  /** Serves other machines without requiring a token. */
  readonly insecureNoAuth: boolean;
  readonly allowedHosts: readonly string[];
  /**
   * The addresses of proxies whose X-Forwarded-For names the client, whose address is then used for every limit. With one, the header
   * is also trusted at a Unix socket.
   */
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  /** Leaves out beta and experimental operations. */
  readonly stableOnly: boolean;
  /** Serves the shop board at `/board/`. */
  readonly board: boolean;
  /** Whether the board is opened in a browser of this machine. */
  readonly open: boolean;
  /** Refuses changes of versioned records without If-Match. */
  readonly requireIfMatch: boolean;
  /** Requests a minute for each token or address; 0 for no limit. Undefined is 600 where other machines can connect, otherwise no limit. */
  readonly rateLimit?: number | undefined;
  readonly timeouts: Timeouts;
}

/** The time limits of a server. */
export interface Timeouts {
  readonly headersMs: number;
  /** For a whole JSON body, and for a pause within an import. */
  readonly bodyMs: number;
  /** How long an import may arrive slower than `minimumBytesPerSecond`. */
  readonly slowUploadMs: number;
  readonly keepAliveMs: number;
  /** How long a client may read nothing of its answer. It is disconnected after once to twice this time. */
  readonly writeMs: number;
  /** After a stop was requested: time for clients on open connections to send a last request and receive its `Connection: close`. */
  readonly lastRequestMs: number;
  /** How long running requests may take after a stop was requested. */
  readonly stopMs: number;
}

/** The time limits of `petstore serve`. */
export const defaultTimeouts: Timeouts = {
  headersMs: 10_000,
  bodyMs: 30_000,
  slowUploadMs: 30_000,
  keepAliveMs: 5_000,
  writeMs: 15_000,
  lastRequestMs: 150,
  stopMs: 10_000,
};
