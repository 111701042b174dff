/** A part of a shelf with units of one pet, which is counted by itself. */
interface Place {
  units: number;
  /** Whether a line that is in force has its number. */
  isCounted: boolean;
}

/**
 * What is really there of each pet, in one or two places. While some places of a pet were counted and others not, units
 * come and go only in the others: which place a sale between two lines was from is nowhere in the records, so that no rule
 * could add the lines up.
 */
export interface Shelf {
  readonly petIds: readonly number[];
  /** The number of places that have a pet. */
  readonly placesOf: (petId: number) => number;
  /** What somebody who counts a place finds there. */
  readonly unitsIn: (petId: number, place: number) => number;
  readonly total: (petId: number) => number;
  /** Takes units away and returns whether there were enough. */
  readonly take: (petId: number, units: number) => boolean;
  /** Puts units on the shelf. */
  readonly put: (petId: number, units: number) => void;
  /** Notes that a line has the number of a place; a line that replaces others makes their places uncounted again. */
  readonly noteCounted: (petId: number, place: number, replaces: boolean) => void;
  /** Notes that all places of a pet have to be counted again, beginning with a line that replaces the others. */
  readonly noteUncounted: (petId: number) => void;
  /** The first place that has to be counted; undefined if the lines of the pet are complete. */
  readonly nextPlace: (petId: number) => number | undefined;
}

/** A shelf with these units of each pet, in the places of the outer list. */
export function simulatedShelf(units: ReadonlyMap<number, readonly number[]>): Shelf {
  const shelves = new Map([...units].map(([petId, list]) => [petId, list.map((one): Place => ({ units: one, isCounted: false }))]));
  const placesOf = (petId: number): Place[] => {
    const places = shelves.get(petId);
    if (places === undefined) throw new Error(`There is no pet ${petId} on the shelf.`);
    return places;
  };
  /** The places in which units may come and go. */
  const openPlaces = (petId: number): Place[] => {
    const places = placesOf(petId);
    const uncounted = places.filter(({ isCounted }) => !isCounted);
    return uncounted.length === 0 ? places : uncounted;
  };
  return {
    petIds: [...units.keys()],
    placesOf: (petId) => placesOf(petId).length,
    unitsIn: (petId, place) => placesOf(petId)[place]?.units ?? 0,
    total: (petId) => placesOf(petId).reduce((sum, one) => sum + one.units, 0),
    take: (petId, wanted) => {
      const place = openPlaces(petId).find((one) => one.units >= wanted);
      if (place) place.units -= wanted;
      return place !== undefined;
    },
    put: (petId, more) => {
      const [place] = openPlaces(petId);
      if (place) place.units += more;
    },
    noteCounted: (petId, counted, replaces) => {
      for (const [index, place] of placesOf(petId).entries()) place.isCounted = index === counted || (place.isCounted && !replaces);
    },
    noteUncounted: (petId) => {
      for (const place of placesOf(petId)) place.isCounted = false;
    },
    nextPlace: (petId) => {
      const index = placesOf(petId).findIndex(({ isCounted }) => !isCounted);
      return index < 0 ? undefined : index;
    },
  };
}
