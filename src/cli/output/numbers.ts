/** A count with commas between the thousands: 1,203. */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** A number with its sign: +5, -2, 0; empty for an unknown one. */
export function signed(value: number | undefined): string {
  return value === undefined ? '' : `${value > 0 ? '+' : ''}${value}`;
}

/** A number of units; where it was given in scans of a code that means several, how it comes about: "3 × 20 = 60". */
export function unitsText(scans: number, units: number, shown: (value: number) => string = String): string {
  return units === 1 ? shown(scans) : `${shown(scans)} × ${units} = ${shown(scans * units)}`;
}
