import { effect, signal } from '@preact/signals';

/** Increases whenever the shop changed, so that figures read before are stale. */
const changes = signal(0);

/** Marks all figures on the page as stale. */
export function markStale(): void {
  changes.value += 1;
}

/** What `staleSince` compares with. */
export function presentChange(): number {
  return changes.peek();
}

/** Resolves when figures read at `change` are stale, or when `until` is aborted. */
export function staleSince(change: number, until: AbortSignal): Promise<void> {
  return resolvesWhen(() => changes.value !== change, until);
}

/** Resolves when a condition on signals holds, or when `until` is aborted. */
export function resolvesWhen(condition: () => boolean, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const controller = new AbortController();
    const done = (): void => {
      controller.abort();
      resolve();
    };
    until.addEventListener('abort', done, { signal: controller.signal });
    const dispose = effect(() => {
      if (until.aborted || condition()) done();
    });
    if (controller.signal.aborted) dispose();
    else controller.signal.addEventListener('abort', dispose);
  });
}
