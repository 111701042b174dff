/** A queue in which keys take turns, such as clients; those that wait under one key come in their order. */
export interface FairTurns<Key, One> {
  readonly add: (key: Key, one: One) => void;
  /** Removes the next one; undefined when none waits. */
  readonly take: () => One | undefined;
  /** How many wait under a key. */
  readonly count: (key: Key) => number;
  readonly isEmpty: () => boolean;
}

/** An empty queue. Those for which `isWaiting` is false when they are looked at are dropped, and use no turn. */
export function fairTurns<Key, One>(isWaiting: (one: One) => boolean): FairTurns<Key, One> {
  // In the order of turns: the first key is next.
  const queues = new Map<Key, One[]>();
  const put = (key: Key, queue: One[]): void => {
    if (queue.length > 0) queues.set(key, queue);
    else queues.delete(key);
  };
  return {
    add: (key, one) => {
      const queue = queues.get(key);
      if (queue === undefined) queues.set(key, [one]);
      else queue.push(one);
    },
    take: () => {
      for (const [key, queue] of queues) {
        let one = queue.shift();
        while (one !== undefined && !isWaiting(one)) one = queue.shift();
        // At the end, behind the other keys.
        queues.delete(key);
        put(key, queue);
        if (one !== undefined) return one;
      }
      return undefined;
    },
    count: (key) => {
      const queue = (queues.get(key) ?? []).filter(isWaiting);
      put(key, queue);
      return queue.length;
    },
    isEmpty: () => queues.size === 0,
  };
}
