import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { environment, petstore } from './measure.js';

const bareScript = fileURLToPath(new URL('bare-server.js', import.meta.url));
const loadScript = fileURLToPath(new URL('http-load.js', import.meta.url));

/** Whether the processor time of another process can be measured. */
export const tellsTime = existsSync('/proc/self/schedstat');

const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function follow(child) {
  running.add(child);
  child.on('exit', () => running.delete(child));
  return child;
}

/** Starts a program that does not outlive this process. */
export const spawnFollowed = (program, args, options = {}) => follow(spawn(program, args, { env: environment(), stdio: 'ignore', ...options }));

async function ended(child) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** The processor time of a process so far with all its threads that still run, in µs; undefined if it cannot be measured. */
function processorTime(pid) {
  if (!tellsTime) return undefined;
  // In nanoseconds; /proc/<pid>/stat has hundredths of a second, too coarse for short rounds.
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]);
  return threads.reduce((sum, nanoseconds) => sum + Number(nanoseconds), 0) / 1000;
}

/** The address that a server prints, and the time when it did; fails if it ends before. */
async function addressOf(child, name) {
  let said = '';
  child.stdout.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${name} did not listen within 30 s.`)), 30_000);
    const settle = (act, value) => {
      clearTimeout(late);
      act(value);
    };
    child.stdout.on('data', (text) => {
      said += text;
      const found = /http:\/\/[\w.]+:(\d+)/.exec(said);
      if (found) settle(resolve, Number(found[1]));
    });
    child.on('error', (error) => settle(reject, error));
    child.on('exit', (code) => settle(reject, new Error(`${name} ended with ${code}.`)));
  });
}

/** Starts a server that prints its address; returns how to reach and stop it. Its log goes to /dev/null. */
export async function startServer({ name, args }) {
  const child = spawnFollowed(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  return {
    name,
    port: await addressOf(child, name),
    time: () => processorTime(child.pid),
    stop: async () => {
      child.kill('SIGKILL');
      await ended(child);
    },
  };
}

/** The command that starts our server on a shop. */
export const ours = (store) => ({ name: 'petstore serve', args: [petstore, '--store', store, 'serve', '--port', '0'] });
/** The command that starts the baseline server on a shop, with writes that a power cut does not lose. */
export const bare = (store) => ({ name: 'bare', args: [bareScript, store, 'FULL'] });
/** The same without waiting for the disk after a write. */
export const bareNormal = (store) => ({ name: 'bare, NORMAL', args: [bareScript, store, 'NORMAL'] });

/** A load generator process; `run` returns the results of a job, `begin` runs until it is stopped. */
export function startLoad() {
  const child = follow(fork(loadScript, { env: environment() }));
  const waiting = new Map();
  let jobs = 0;
  child.on('message', ({ name, result, failure }) => {
    const { resolve, reject } = waiting.get(name);
    waiting.delete(name);
    if (failure === undefined) resolve(result);
    else reject(new Error(`The requests broke off: ${failure}`));
  });
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('The process that asks ended.'));
  });
  const send = (job) => {
    const name = String((jobs += 1));
    const result = new Promise((resolve, reject) => waiting.set(name, { resolve, reject }));
    child.send({ cursors: [''], host: `127.0.0.1:${job.port}`, ...job, name });
    return { name, result };
  };
  return {
    run: (job) => send(job).result,
    begin: (job) => {
      const { name, result } = send(job);
      return {
        end: () => {
          child.send({ name, stop: true });
          return result;
        },
      };
    },
    stop: async () => {
      child.kill('SIGKILL');
      await ended(child);
    },
  };
}

/** The cursors of the pages of a list of pets, from the links of a server. */
export async function cursorsOf({ port }, path, pages) {
  const cursors = [];
  let next = path;
  while (cursors.length < pages && next !== undefined) {
    const response = await fetch(`http://127.0.0.1:${port}${next}`);
    await response.arrayBuffer();
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    const cursor = next && /cursor=([^&]+)/.exec(next)?.[1];
    if (cursor) cursors.push(cursor);
  }
  return cursors;
}

/** Fails unless two servers give the same answers, so only correct answers are measured. */
export async function verifyAlike(servers, paths) {
  for (const path of paths) {
    const texts = await Promise.all(servers.map(async ({ port }) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()));
    if (texts.some((text) => text !== texts[0])) throw new Error(`GET ${path}: ${texts.join(' is not ')}`);
  }
}
