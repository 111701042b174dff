/** The keys of a row of Stock, while the focus is in it. */
export const rowShortcuts = [
  { keys: 's', does: 'Sell', action: 'sell' },
  { keys: 'c', does: 'Count', action: 'count' },
  { keys: 'a', does: 'Receive or write off', action: 'adjust' },
] as const;
