/** Runs work while nobody else touches these pets. */
export type WithPets = <T>(petIds: Iterable<number>, work: () => Promise<T>) => Promise<T>;

/** Locks for pets, taken in the order of their ids. */
export function petLocks(): WithPets {
  const last = new Map<number, Promise<unknown>>();
  return async (petIds, work) => {
    const ids = [...new Set(petIds)].toSorted((one, other) => one - other);
    const releases: (() => void)[] = [];
    for (const id of ids) {
      const before = last.get(id);
      last.set(id, new Promise<void>((resolve) => releases.push(resolve)));
      await before;
    }
    try {
      return await work();
    } finally {
      for (const release of releases) release();
    }
  };
}
