// Sends requests to a server as fast as it answers, over persistent connections with one request at a time each.
// Runs as a child process: receives jobs as messages, one after the other or several at once, and answers each with its results.
import { connect } from 'node:net';

const head = /^HTTP\/1\.1 (\d{3})[\s\S]*?\r\n\r\n/;
const length = /\r\ncontent-length: *(\d+)/i;

/** Pseudo-random numbers that are the same in every run. */
function sequence(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

/** The number of requests of all jobs: one that began again would send each pet the quantity that it has since the job before. */
let counter = 0;

/**
 * The bytes of the next request of a job. A job has kinds of requests with percentages; `{id}`, `{count}` and `{cursor}`
 * in their texts are replaced by the id of a pet, a quantity that no pet has yet, and a cursor of the list.
 */
function requestsOf({ kinds, pets, cursors, host }) {
  const draw = sequence(kinds.length + 7);
  const shares = kinds.flatMap(({ share }, index) => Array.from({ length: share }, () => index));
  return () => {
    const { method, path, body } = kinds[shares.length === 100 ? shares[(draw(1 << 16) >> 4) % 100] : 0];
    counter += 1;
    const filled = path.replace('{id}', String(1 + ((draw(1 << 30) >> 6) % pets))).replace('{cursor}', cursors[counter % cursors.length]);
    const start = `${method} ${filled} HTTP/1.1\r\nHost: ${host}\r\n`;
    if (body === undefined) return `${start}\r\n`;
    const text = body.replace('{count}', String(counter % 1_000_000));
    return `${start}Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  };
}

/** The length and status of the first answer in a text, or undefined while it is incomplete. */
function answerIn(text) {
  const found = head.exec(text);
  if (found === null) return undefined;
  const [all, status] = found;
  const declared = length.exec(all);
  if (declared !== null) {
    const end = all.length + Number(declared[1]);
    return text.length >= end ? { end, status: Number(status) } : undefined;
  }
  if (status === '204') return { end: all.length, status: 204 };
  const end = text.indexOf('\r\n0\r\n\r\n', all.length - 2);
  return end < 0 ? undefined : { end: end + 7, status: Number(status) };
}

/** One connection that sends requests until the job is over. */
function ask(job, next, seen) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: job.port, noDelay: true });
    let sent = 0;
    let text = '';
    const send = () => {
      sent = performance.now();
      socket.write(next(), 'latin1');
    };
    socket.setEncoding('latin1');
    socket.on('connect', send);
    socket.on('data', (chunk) => {
      text = text === '' ? chunk : text + chunk;
      const found = answerIn(text);
      if (found === undefined) return;
      const now = performance.now();
      text = text.slice(found.end);
      seen.waits.push(now - sent);
      if (found.status >= 300) seen.refused += 1;
      if (seen.over || now >= seen.until || seen.waits.length > seen.enough) socket.end();
      else send();
    });
    socket.on('error', reject);
    socket.on('close', resolve);
  });
}

const running = new Map();

async function run(job) {
  const started = performance.now();
  const seen = {
    waits: [],
    refused: 0,
    over: false,
    until: job.ms === undefined ? Infinity : started + job.ms,
    enough: job.requests === undefined ? Infinity : job.requests - job.connections,
  };
  running.set(job.name, seen);
  const next = requestsOf(job);
  await Promise.all(Array.from({ length: job.connections }, () => ask(job, next, seen)));
  const ms = performance.now() - started;
  running.delete(job.name);
  const waits = Float64Array.from(seen.waits).toSorted();
  const at = (share) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))];
  return { ms, requests: waits.length, refused: seen.refused, p50: at(0.5), p99: at(0.99), slowest: waits.at(-1) };
}

process.on('message', ({ name, stop, ...job }) => {
  if (stop === true) {
    const seen = running.get(name);
    if (seen) seen.over = true;
    return;
  }
  run({ name, ...job }).then(
    (result) => process.send({ name, result }),
    (error) => process.send({ name, failure: error.message }),
  );
});
process.on('disconnect', () => process.exit());
