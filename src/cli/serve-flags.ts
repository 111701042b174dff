import { StoreError } from '../domain/errors.js';
import { withoutTrailingSlashes } from '../domain/values/text.js';
import { choice, flag, nameText, repeatedFlag, toggle, wholeNumber, type FlagValues } from './flags.js';

/** The flags of `petstore serve`. */
export const serveFlags = {
  host: flag('--host <address>', 'the address to listen at (default: 127.0.0.1)', nameText),
  port: flag('--port <n>', 'the port to listen at, 0 for any that is free (default: 8080)', port),
  socket: flag('--socket <path>', 'listen at a Unix socket instead of a port', nameText),
  basePath: flag('--base-path <path>', 'what stands before every path, such as /shop', basePath),
  auth: choice('--auth <when>', 'ask for tokens: auto asks once one was made, and always beyond this machine', ['auto', 'required', 'off'] as const),
  insecureNoAuth: toggle('--insecure-no-auth', 'serve other machines without asking for tokens'),
  allowedHost: repeatedFlag('--allowed-host <name>', 'a host name to answer to besides the own ones', nameText),
  corsOrigin: repeatedFlag('--cors-origin <origin>', 'an origin whose pages may use the shop, such as https://till.example', origin),
  stableOnly: toggle('--stable-only', 'leave beta and experimental operations out'),
  enforceSunset: toggle('--enforce-sunset', 'refuse deprecated operations after their sunset'),
  requireIfMatch: toggle('--require-if-match', 'refuse changes of a record without If-Match'),
  rateLimit: flag('--rate-limit <n>', 'requests a minute for each token or address, 0 for any number', requests),
};

/** How a server is asked for on the command line. */
export type ServeFlags = FlagValues<typeof serveFlags>;

function port(value: string, name: string): number {
  const number = wholeNumber(value, name);
  if (number >= 0 && number <= 65_535) return number;
  throw new StoreError('usage', `${name} takes a number from 0 to 65535, not "${value}".`);
}

function requests(value: string, name: string): number {
  const number = wholeNumber(value, name);
  if (number >= 0) return number;
  throw new StoreError('usage', `${name} takes a number of requests, not "${value}".`);
}

function basePath(value: string, name: string): string {
  nameText(value, name);
  const path = withoutTrailingSlashes(value);
  if (path === '' || /^(\/[\w.~-]+)+$/.test(path)) return path;
  throw new StoreError('usage', `${name} takes a path such as /shop, not "${value}".`);
}

function origin(value: string, name: string): string {
  if (URL.canParse(value) && new URL(value).origin === value) return value;
  throw new StoreError('usage', `${name} takes an origin such as https://till.example, not "${value}".`);
}
