import { expect, test } from 'vitest';
import { operations } from '../src/domain/operations.js';

type ListRequests = (operation: { readonly id: string }, pets: number) => readonly object[];

// The module is JavaScript, without types.
const module = './bench/list-requests.js';
const { listRequests } = (await import(module)) as { readonly listRequests: ListRequests };

const lists = operations.filter(({ paged }) => paged);

// `npm run bench -- growth` runs rarely; this test fails as soon as a list has a filter that it does not know.
test.each(lists)('the growth benchmark requests $id with each of its filters', (operation) => {
  expect(listRequests(operation, 1000).length).toBeGreaterThan(0);
});
