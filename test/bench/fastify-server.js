// The bare server on Fastify: its router, its parsers, and schemas that check parameters and write JSON. Its arguments are those
// of bare-server.js. It leaves out tokens, limits, log, metrics, ETags and all headers but those that a list needs.
import fastify from 'fastify';
import { openBareShop } from './bare-shop.js';

const shop = openBareShop(process.argv[2], process.argv[3]);
const app = fastify();

const integer = { type: 'integer' };
const string = { type: 'string' };
const record = (properties) => ({ type: 'object', properties });
const pet = { id: integer, name: string, categoryId: integer, status: string };
const details = record({
  ...pet,
  category: record({ id: integer, name: string, description: string }),
  inventory: record({ quantity: integer, reserved: integer, available: integer }),
  codes: { type: 'array', items: record({ code: string, units: integer }) },
  openOrders: integer,
  version: integer,
  createdAt: string,
  updatedAt: string,
});
const byId = (answer) => ({ params: record({ id: integer }), response: { 200: answer } });
const found = (value, reply) => value ?? reply.code(404).send({ code: 'refused' });

app.get('/pets/:id/details', { schema: byId(details) }, async ({ params }, reply) => found(shop.details(params.id), reply));
app.get('/pets/:id', { schema: byId(record(pet)) }, async ({ params }, reply) => found(shop.pet(params.id), reply));
app.get(
  '/pets',
  {
    schema: {
      querystring: record({ limit: { ...integer, default: 50 }, cursor: { ...integer, default: 0 } }),
      response: { 200: { type: 'array', items: record(pet) } },
    },
  },
  async ({ query: { limit, cursor } }, reply) => {
    const rows = shop.page(cursor, limit + 1);
    const items = rows.slice(0, limit);
    const next = rows.length > limit ? `, </pets?limit=${limit}&cursor=${items.at(-1).id}>; rel="next"` : '';
    reply.header('link', `</pets?limit=${limit}>; rel="first"${next}`);
    return items;
  },
);
app.put(
  '/store/inventory/:id',
  { schema: { ...byId(record({ petId: integer, quantity: integer, status: string })), body: record({ quantity: integer }) } },
  async ({ params, body }, reply) => found(shop.set(params.id, body.quantity), reply),
);
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
