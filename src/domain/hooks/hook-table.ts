import type { Slice } from '../values/pages.js';
import type { Hook, HookDelivery } from './hook.js';

/** Selects hooks. */
export interface HookListFilter {
  readonly state?: Hook['state'] | undefined;
  /** Only those whose next event failed at least once. */
  readonly failing?: boolean | undefined;
  /** Only those that are paused or failing. */
  readonly unhealthy?: boolean | undefined;
}

/** Read access to the webhooks. */
export interface HookReader {
  get(id: number): Promise<Hook | undefined>;
  list(filter: HookListFilter, slice: Slice<'id'>): Promise<readonly Hook[]>;
  count(filter: HookListFilter): Promise<number>;
  deliveries(id: number, slice: Slice<'id'>): Promise<readonly HookDelivery[]>;
  countDeliveries(id: number): Promise<number>;
}

/** Write access to the webhooks that every interface has; the rest is in `HookKeeper`. */
export interface HookWriter extends HookReader {
  /** Pauses or resumes a hook; a resumed one sends at once what waits. */
  setState(id: number, state: Hook['state']): Promise<void>;
}
