import ipaddr from 'ipaddr.js';
import { StoreError } from '../errors.js';

const longestUrl = 2000;

const globalIpv6 = ipaddr.parseCIDR('2000::/3');

/** The metadata service of Azure, in a public range. */
const azureMetadata = '168.63.129.16';

/** Whether an IP address belongs to the public internet: not private, loopback, link-local or reserved, also not written as IPv6 for such a one. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return address.range() === 'unicast' && address.toString() !== azureMetadata && (address.kind() === 'ipv4' || address.match(globalIpv6));
}

/** The host of a URL as a resolver takes it: IPv6 addresses without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replaceAll(/^\[|\]$/g, '');
}

function problemOf(url: URL | undefined, text: string): string | undefined {
  if (url === undefined || text.length > longestUrl)
    return `must be an address of at most ${longestUrl} characters, such as https://hooks.example.com/petstore`;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password; the requests are signed';
  if (url.port === '0') return 'must not have the port 0';
  return undefined;
}

/** Why an address is refused unless private ones are allowed; undefined for a public one. */
function privateProblem(url: URL): string | undefined {
  const host = hostOf(url);
  if (url.protocol === 'http:') return 'must begin with https:// unless private addresses are allowed';
  return ipaddr.isValid(host) && !isPublicAddress(host) ? `must be a public address unless private addresses are allowed; ${host} is not public` : undefined;
}

/** The URL of a hook in the form in which it is used. Refuses with `validation_failed`. A name is checked when it was resolved, each time that the hook connects. */
export function checkedHookUrl(text: string, allowPrivate: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const problem = problemOf(url, text);
  if (problem !== undefined || url === undefined) throw new StoreError('validation_failed', `url: ${problem}.`);
  const refused = allowPrivate ? undefined : privateProblem(url);
  if (refused !== undefined) throw new StoreError('validation_failed', `url: ${refused}.`, { details: { reason: 'private_address' } });
  url.hash = '';
  return url.href;
}
