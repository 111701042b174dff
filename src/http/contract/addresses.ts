/** The host names of this machine. */
export const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** Whether an address can only be reached from this machine. */
export function isLoopback(address: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(address);
}

/** The same for the host of a URL or of a Host header, which has IPv6 addresses in brackets. */
export function isLoopbackHost(host: string): boolean {
  return isLoopback(host.replace(/^\[(.*)\]$/, '$1'));
}
