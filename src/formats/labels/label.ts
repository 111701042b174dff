import { gtinKey, ownNumber } from '../../domain/codes/gtin.js';
import type { PetDetails } from '../../domain/pets/pet-details.js';

/** The kinds of bars that labels have, by their names in bwip-js. */
export type Symbology = 'ean13' | 'ean8' | 'upca' | 'itf14' | 'code128' | 'qrcode';

/** What stands on a label. */
export interface Label {
  readonly name: string;
  /** The name of the category, where it is shown. */
  readonly category: string | undefined;
  readonly code: string;
  readonly symbology: Symbology;
}

/** The size of a label, in millimetres. */
export interface LabelSize {
  readonly width: number;
  readonly height: number;
}

/** How labels are made from pets. */
export interface LabelOptions {
  readonly showsCategory: boolean;
  /** Draws every code as a QR code. */
  readonly qr: boolean;
}

const gtinSymbologies: ReadonlyMap<number, Symbology> = new Map([
  [8, 'ean8'],
  [12, 'upca'],
  [13, 'ean13'],
  [14, 'itf14'],
]);
const longestBars = 24;

/** The kind of bars for a code: that of its GTIN, Code 128 for a short text in ASCII, otherwise QR. */
export function symbologyOf(code: string): Symbology {
  const gtin = gtinKey(code) === undefined ? undefined : gtinSymbologies.get(code.length);
  if (gtin !== undefined) return gtin;
  return code.length <= longestBars && /^[\x21-\x7e]+$/.test(code) ? 'code128' : 'qrcode';
}

/** The label of a pet: its first code that means one unit, else the shop's own number of the pet. */
export function labelOf({ id, name, category, codes }: PetDetails, { showsCategory, qr }: LabelOptions): Label {
  const code = codes.find(({ units }) => units === 1)?.code ?? ownNumber(id) ?? `id:${id}`;
  return { name, category: showsCategory ? category.name : undefined, code, symbology: qr ? 'qrcode' : symbologyOf(code) };
}
