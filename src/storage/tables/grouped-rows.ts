/** Splits a list into parts whose sizes are powers of two, largest first, so that statements for many rows have few texts. */
export function partsOf<Item>(items: readonly Item[], largest: number): readonly (readonly Item[])[] {
  const parts: Item[][] = [];
  let [start, size] = [0, largest];
  while (start < items.length) {
    while (size > items.length - start) size /= 2;
    parts.push(items.slice(start, start + size));
    start += size;
  }
  return parts;
}
