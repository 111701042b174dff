import { wait } from '../clock.js';

let lastReport: Promise<unknown> = Promise.resolve();

/**
 * Reads the whole shop after other such reads, and later than the figures and lists that become stale at the same moment: a server
 * makes reports one after the other, and with a million pets one takes most of a second.
 */
export async function queueReport<Value>(read: () => Promise<Value>): Promise<Value> {
  const before = lastReport;
  const run = async (): Promise<Value> => {
    await before;
    await wait(0);
    return read();
  };
  const result = run();
  lastReport = result.catch(() => undefined);
  return result;
}
