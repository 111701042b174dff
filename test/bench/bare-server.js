// The baseline: the same answers with only node:http and better-sqlite3, hand-written routes, one statement for each read, and
// a commit for each write. Its arguments are the path of a shop and FULL or NORMAL; it prints its address when it listens. It
// leaves out validation, tokens, limits, log, metrics, ETags and all headers but those that a list needs.
import { createServer } from 'node:http';
import { openBareShop } from './bare-shop.js';

const shop = openBareShop(process.argv[2], process.argv[3]);

function answer(response, value, headers) {
  const text = JSON.stringify(value ?? { code: 'refused' });
  response.writeHead(value === undefined ? 404 : 200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

function list(response, query) {
  const parameters = new URLSearchParams(query);
  const limit = Number(parameters.get('limit') ?? 50);
  const found = shop.page(Number(parameters.get('cursor') ?? 0), limit + 1);
  const items = found.slice(0, limit);
  const next = found.length > limit ? `, </pets?limit=${limit}&cursor=${items.at(-1).id}>; rel="next"` : '';
  answer(response, items, { Link: `</pets?limit=${limit}>; rel="first"${next}` });
}

function put(request, response, petId) {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => answer(response, shop.set(petId, JSON.parse(body).quantity)));
}

const server = createServer((request, response) => {
  const [path, query] = request.url.split('?');
  const segments = path.split('/');
  if (request.method === 'PUT' && segments[2] === 'inventory') return put(request, response, Number(segments[3]));
  if (segments[1] !== 'pets') return answer(response, undefined);
  if (segments.length === 2) return list(response, query);
  const id = Number(segments[2]);
  return answer(response, segments[3] === 'details' ? shop.details(id) : shop.pet(id));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
