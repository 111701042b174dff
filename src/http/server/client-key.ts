import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { isIPv4 } from 'node:net';

/**
 * The part of an address that one client has for itself: all of an IPv4 address, the first 64 bits of an IPv6 address.
 * A host picks the other 64 bits itself (RFC 4291, 2.5.1), so that it could pass for many clients.
 */
export function addressOfClient(ip: string): string {
  if (isIPv4(ip) || !ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv6' ? new ipaddr.IPv6(address.toByteArray().fill(0, 8)).toString() : address.toString();
}

/** Identifies a client: by its token, otherwise by its address. All clients of a Unix socket, which have none, count as one. */
export function clientKey({ identity, ip }: Pick<FastifyRequest, 'identity'> & { readonly ip: string | undefined }): string {
  if (identity?.token !== undefined) return `token ${identity.token.id}`;
  return ip === undefined ? 'socket' : `address ${addressOfClient(ip)}`;
}
