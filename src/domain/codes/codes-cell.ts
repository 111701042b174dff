import { codeKey, codeText, codeUnits, maximumCodes, maximumUnits, type Code } from './code.js';
import { readText } from '../values/schemas.js';
import { shortened } from '../values/text.js';
import * as v from 'valibot';

/** A code of a pet that may not exist yet. */
export type CodeOfPet = Omit<Code, 'petId'>;

/** A code in a cell with its units after the last `*`. */
const unitsAtEnd = /^(.+)\*(\d+)$/;

/** The codes of a pet in one cell, separated by spaces; a carton is its code, `*` and its units: `4006381333931 10012345000017*20`. */
export function codesCellText(codes: readonly CodeOfPet[]): string {
  return codes.map(({ code, units }) => (units === 1 && !code.includes('*') ? code : `${code}*${units}`)).join(' ');
}

/** The codes in such a cell, each once; or why there are none. */
export function codesInCell(cell: string): readonly CodeOfPet[] | string {
  const codes = new Map<string, CodeOfPet>();
  for (const text of cell.split(/\s+/).filter((one) => one !== '')) {
    const [, code = text, units = text.includes('*') ? Number.NaN : 1] = unitsAtEnd.exec(text) ?? [];
    if (!v.is(codeUnits, Number(units))) return `has ${shortened(text)}: after the code and * come the units of a carton, 1 to ${maximumUnits}`;
    const parsed = v.safeParse(v.object({ code: codeText, units: codeUnits }), { code, units: Number(units) });
    if (!parsed.success) return `has ${shortened(text)}, which is no code: ${parsed.issues[0].message}`;
    const key = codeKey(parsed.output.code);
    const other = codes.get(key);
    if (other !== undefined && other.units !== parsed.output.units) return `has the code ${parsed.output.code} twice`;
    codes.set(key, other ?? parsed.output);
  }
  return codes.size > maximumCodes ? `has more than ${maximumCodes} codes` : [...codes.values()];
}

/** Such a text in a request. */
export const codesText = v.pipe(
  v.string('must be a text'),
  v.description('Codes of the pet, separated by spaces; of a carton the code, `*` and its units, such as `10012345000017*20`.'),
  readText((text, refuse) => {
    const codes = codesInCell(text);
    return typeof codes === 'string' ? refuse(codes) : codes;
  }),
);
