import { isIP } from 'node:net';
import { completeFiles } from './completion/completers.js';
import { StoreError } from '../domain/errors.js';
import { withoutTrailingSlashes } from '../domain/values/text.js';
import { choice, flag, repeatedFlag, toggle, type FlagValues } from './flags.js';
import { nameText, numberFrom } from './readers.js';

/** The flags of `petstore serve`. */
export const serveFlags = {
  host: flag({ long: 'host', value: 'address', summary: 'the address to listen on', default: '127.0.0.1', read: nameText }),
  port: flag({ long: 'port', value: 'n', summary: 'the port, 0 for any free port', default: '8080', read: numberFrom(0, 65_535) }),
  socket: flag({ long: 'socket', value: 'path', summary: 'listen on a Unix socket instead of a port', read: nameText, complete: completeFiles }),
  basePath: flag({ long: 'base-path', value: 'path', summary: 'the prefix of every path, such as /shop', read: basePath }),
  auth: choice({
    long: 'auth',
    value: 'when',
    summary: 'when tokens are needed',
    choices: ['auto', 'required', 'off'] as const,
  }),
  insecureNoAuth: toggle({ long: 'insecure-no-auth', summary: 'serve other machines without tokens' }),
  allowedHost: repeatedFlag({
    long: 'allowed-host',
    value: 'name',
    summary: 'another host name that requests may use',
    read: nameText,
  }),
  trustedProxy: repeatedFlag({
    long: 'trusted-proxy',
    value: 'address',
    summary: 'a proxy that names its clients in X-Forwarded-For',
    read: ipAddress,
  }),
  corsOrigin: repeatedFlag({
    long: 'cors-origin',
    value: 'origin',
    summary: 'a web origin that may use the shop',
    read: origin,
  }),
  stableOnly: toggle({ long: 'stable-only', summary: 'leave out beta and experimental operations' }),
  open: toggle({ long: 'open', summary: 'open the shop board in the browser, signed in' }),
  noBoard: toggle({ long: 'no-board', summary: 'leave out the shop board' }),
  requireIfMatch: toggle({ long: 'require-if-match', summary: 'refuse changes of records without If-Match' }),
  rateLimit: flag({ long: 'rate-limit', value: 'n', summary: 'requests a minute per token or address; 0 for no limit', read: numberFrom(0) }),
};

/** How a server is asked for on the command line. */
export type ServeFlags = FlagValues<typeof serveFlags>;

function basePath(value: string, name: string): string {
  nameText(value, name);
  const path = withoutTrailingSlashes(value);
  // Browsers and proxies remove the segments . and .. from an address.
  if (path === '' || /^(\/(?!\.{1,2}(\/|$))[\w.~-]+)+$/.test(path)) return path;
  throw new StoreError('usage', `${name} takes a path such as /shop, not "${value}".`);
}

function ipAddress(value: string, name: string): string {
  if (isIP(value) !== 0) return value;
  throw new StoreError('usage', `${name} takes an IP address such as 127.0.0.1, not "${value}".`);
}

function origin(value: string, name: string): string {
  if (URL.canParse(value) && new URL(value).origin === value) return value;
  throw new StoreError('usage', `${name} takes an origin such as https://till.example, not "${value}".`);
}
