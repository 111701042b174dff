import type { Page } from '../../src/domain/values/pages.js';

/** A page of a list, the first one without a cursor. */
export type Turn<Item> = (cursor: string | undefined) => Promise<Page<Item>>;

/** Every page of a list, from first to last. */
export async function pagesOf<Item>(turn: Turn<Item>): Promise<readonly Page<Item>[]> {
  const pages = [await turn(undefined)];
  for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) pages.push(await turn(next));
  return pages;
}

/** The items of every page of a list. */
export async function itemsOf<Item>(turn: Turn<Item>): Promise<readonly Item[]> {
  return (await pagesOf(turn)).flatMap(({ items }) => items);
}
