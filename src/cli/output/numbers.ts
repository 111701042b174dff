/** A count with commas between the thousands: 1,203. */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** A number with its sign: +5, -2, 0; empty for an unknown one. */
export function signed(value: number | undefined): string {
  return value === undefined ? '' : `${value > 0 ? '+' : ''}${value}`;
}
