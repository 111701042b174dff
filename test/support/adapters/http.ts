import { expect } from 'vitest';
import { textOf, type PetFile, type StockFile } from '../reference-model/imports.js';
import type { CommandRequest, Command } from '../reference-model/apply-command.js';
import { created, done } from '../reference-model/shop.js';
import { answerOf, bodyBytes, type Answer, type Sent } from '../server.js';
import { countsOf, lookUpCommand, makes, type AdapterKind, type CommandTable, type ReportFields } from './adapter.js';
import { linesOf, severalOperations } from './operations.js';

interface Request extends Sent {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The status of a success. */
  readonly status: number;
}

/** Sends a request on a persistent connection. */
async function send(address: string, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const { headers, payload } = bodyBytes(sent);
  const response = await fetch(`${address}${path}`, { method, headers, ...(payload && { body: payload }) });
  return answerOf(method, { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() });
}

/** The query string, without undefined and false parameters. */
function query(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== false);
  return given.length === 0 ? '' : `?${given.map(([name, value]) => `${name}=${value}`).join('&')}`;
}

function importOf(path: string, file: StockFile | PetFile, parameters: Parameters<typeof query>[0] = {}): Request {
  const { keepGoing, maxErrors, fileKey } = file;
  return {
    method: 'POST',
    path: `${path}${query({ mode: keepGoing ? 'keep-going' : undefined, maxErrors, ...parameters })}`,
    status: 200,
    headers: { 'content-type': 'text/csv', ...(fileKey !== undefined && { 'idempotency-key': fileKey }) },
    body: textOf(file),
  };
}

/** Every command as a request of the contract. */
const requests: CommandTable<Request> = {
  'create category': ({ name, description }) => ({ method: 'POST', path: '/categories', status: 201, body: { name, description } }),
  'edit category': ({ category, name, description }) => ({ method: 'PATCH', path: `/categories/${category}`, status: 200, body: { name, description } }),
  'replace category': ({ category, name, description }) => ({ method: 'PUT', path: `/categories/${category}`, status: 200, body: { name, description } }),
  'delete category': ({ category, moveTo }) => ({ method: 'DELETE', path: `/categories/${category}${query({ moveTo })}`, status: 204 }),
  'create pet': ({ name, category, quantity, status }) => ({
    method: 'POST',
    path: `/pets${query({ quantity })}`,
    status: 201,
    body: { name, categoryId: category, status },
  }),
  'edit pet': ({ pet, name, category, status }) => ({ method: 'PATCH', path: `/pets/${pet}`, status: 200, body: { name, categoryId: category, status } }),
  'replace pet': ({ pet, name, category, status }) => ({ method: 'PUT', path: `/pets/${pet}`, status: 200, body: { name, categoryId: category, status } }),
  'delete pet': ({ pet }) => ({ method: 'DELETE', path: `/pets/${pet}`, status: 204 }),
  hold: ({ pet }) => ({ method: 'PUT', path: `/pets/${pet}/hold`, status: 200 }),
  release: ({ pet }) => ({ method: 'DELETE', path: `/pets/${pet}/hold`, status: 200 }),
  'add code': ({ pet, code, units }) => ({ method: 'POST', path: `/pets/${pet}/codes`, status: 201, body: { code, units } }),
  'remove code': ({ code }) => ({ method: 'DELETE', path: `/codes/${code}`, status: 204 }),
  set: ({ pet, units, expect: expected, allowShortage }) => ({
    method: 'PUT',
    path: `/store/inventory/${pet}${query({ expected, allowShortage })}`,
    status: 200,
    body: { quantity: units },
  }),
  adjust: ({ pet, units, allowShortage }) => ({
    method: 'POST',
    path: `/store/inventory/${pet}/adjustments${query({ allowShortage })}`,
    status: 200,
    body: { delta: units },
  }),
  'low at': ({ pet, level }) => ({ method: 'PUT', path: `/store/inventory/${pet}/low-at`, status: 200, body: { lowAt: level } }),
  'low default': ({ level }) => ({ method: 'PUT', path: '/store/low-at', status: 200, body: { lowAt: level } }),
  'undo entry': ({ entry, allowShortage }) => ({ method: 'POST', path: `/store/ledger/${entry}/undo${query({ allowShortage })}`, status: 201 }),
  place: ({ pet, quantity, ship, complete }) => ({
    method: 'POST',
    path: '/store/orders',
    status: 201,
    body: { petId: pet, quantity, shipDate: ship, complete },
  }),
  'edit order': ({ order, pet, quantity, ship, complete }) => ({
    method: 'PATCH',
    path: `/store/orders/${order}`,
    status: 200,
    body: { petId: pet, quantity, shipDate: ship, complete },
  }),
  cancel: ({ order }) => ({ method: 'DELETE', path: `/store/orders/${order}`, status: 204 }),
  several: ({ verb, ids }) => {
    const { id, inputs } = severalOperations[verb];
    return { method: 'POST', path: '/store/calls', status: 200, body: { operation: id, inputs: inputs(ids) } };
  },
  'import stock': (file) => importOf('/store/imports', file, { onStale: file.onStale, allowShortage: file.allowShortage }),
  'import pets': (file) => importOf('/pets/imports', file),
  'start count': ({ category }) => ({
    method: 'POST',
    path: '/store/counts',
    status: 201,
    body: category === undefined ? {} : { categoryIds: [category] },
  }),
  'count lines': ({ count, lines }) => ({ method: 'POST', path: `/store/counts/${count}/lines`, status: 200, body: { lines: linesOf(lines) } }),
  'undo line': ({ count, line }) => ({ method: 'DELETE', path: `/store/counts/${count}/lines/${line}`, status: 200 }),
  'close count': ({ count, missing, keepGoing, allowShortage }) => ({
    method: 'POST',
    path: `/store/counts/${count}/close`,
    status: 200,
    body: { missing, allowShortage, mode: keepGoing ? 'keep-going' : 'atomic' },
  }),
  'cancel count': ({ count }) => ({ method: 'POST', path: `/store/counts/${count}/cancel`, status: 200 }),
  'undo batch': ({ batch, allowShortage }) => ({ method: 'POST', path: `/store/imports/${batch}/undo${query({ allowShortage })}`, status: 200 }),
};

const isImport = ({ do: verb }: Command): boolean => verb === 'import stock' || verb === 'import pets';

/** The report of an import; a refused import links to it. */
async function reportOf(address: string, answer: Answer): Promise<string> {
  if (answer.code !== 'import_refused') return answer.code === '' ? countsOf(answer.json<ReportFields>()) : answer.code;
  const where = /^<([^>]+)>; rel="describedby"$/.exec(answer.headers['link'] ?? '')?.[1];
  return countsOf((await send(address, 'GET', where ?? '/')).json<ReportFields>());
}

async function ask(address: string, { command, dryRun, key, ifMatch }: CommandRequest): Promise<string> {
  const { method, path, status, headers, body } = lookUpCommand(requests, command);
  const answer = await send(address, method, path, {
    headers: {
      ...headers,
      ...(dryRun && { 'petstore-dry-run': 'true' }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
    },
    ...(body !== undefined && { body }),
  });
  if (isImport(command)) return reportOf(address, answer);
  if (answer.code !== '') return answer.code;
  expect(answer.status).toBe(status);
  return makes(command) ? created(answer.json<{ readonly id: number }>().id) : done;
}

interface Item {
  readonly petId: number;
  readonly quantity: number;
  readonly status: string;
}

/** Plain HTTP requests by the contract, without our own client. */
export const httpAdapter: AdapterKind = {
  name: 'HTTP',
  unsupported: [],
  cannotSend: () => false,
  connect: ({ address = '' }) => ({
    send: (asked) => ask(address, asked),
    observe: async () => {
      const pets = (await send(address, 'GET', '/store/inventory?limit=500')).json<readonly Item[]>();
      const low = (await send(address, 'GET', '/store/inventory?limit=500&low=true')).json<readonly Item[]>();
      return { pets: pets.map(({ petId, quantity, status }) => [petId, quantity, status]), low: low.map(({ petId }) => petId) };
    },
  }),
};
