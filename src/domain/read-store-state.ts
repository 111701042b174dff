/** What is known of the standby that answers reads. */
export interface ReadStoreState {
  /** Its address for display, without a password. */
  readonly where: string;
  /** Whether it answers reads; otherwise the primary does, because it is too far behind, does not answer, or may not be used. */
  readonly state: 'used' | 'lagging' | 'unreachable' | 'refused';
  /** How many ledger entries it lacks; undefined while that is not known. */
  readonly lagEntries?: number;
  /** How old the oldest of them is; 0 when it lacks none. */
  readonly lagMs?: number;
  /** Why it does not answer reads, as the end of a sentence. */
  readonly reason?: string;
}

/** How many reads the standby and the primary have answered. */
export interface ReadCounts {
  readonly standby: number;
  readonly primary: number;
}
