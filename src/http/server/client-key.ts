import type { FastifyRequest } from 'fastify';

/**
 * The part of an address that one client has for itself: all of an IPv4 address, the first 64 bits of an IPv6 address.
 * A host picks the other 64 bits itself (RFC 4291, 2.5.1), so that it could pass for many clients.
 */
export function addressOfClient(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  if (!ip.includes(':')) return ip;
  const [head = '', tail] = ip.split('%')[0]?.split('::') ?? [];
  const [groups, rest] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = tail === undefined ? 0 : 8 - (groups?.length ?? 0) - (rest?.length ?? 0);
  const all = [...(groups ?? []), ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...(rest ?? [])];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Identifies a client: by its token, otherwise by its address. All clients of a Unix socket, which have none, count as one. */
export function clientKey({ identity, ip }: Pick<FastifyRequest, 'identity'> & { readonly ip: string | undefined }): string {
  if (identity?.token !== undefined) return `token ${identity.token.id}`;
  return ip === undefined ? 'socket' : `address ${addressOfClient(ip)}`;
}
