import type { Rules } from './apply-command.js';
import { appendRow, done, livePet, refuse, type Model } from './shop.js';

/** The commands for codes. */
export type CodeCommand =
  | { readonly do: 'add code'; readonly pet: number; readonly code: string; readonly units: number }
  | { readonly do: 'remove code'; readonly code: string };

/** Codes of the commands: two texts of one GTIN, two of one article number in different case, and a carton. */
export const modelCodes = ['4006381333931', '04006381333931', 'ab-12', 'AB-12', '10012345000017'] as const;

/** What equal codes have in common: the case does not matter, nor do the zeros in front of a number of 13 or 14 digits. */
function keyOf(code: string): string {
  return code.toLowerCase().replace(/^0(?=\d{13}$)/, '');
}

/** Removes the codes of a pet that is deleted. */
export function removeCodesOf(model: Model, pet: number): void {
  for (const [key, code] of model.codes) {
    if (code.pet !== pet) continue;
    model.codes.delete(key);
    appendRow(model, { kind: 'code.removed', pet });
  }
}

/** The rules of codes. */
export const codeRules: Rules<CodeCommand> = {
  'add code': (model, { pet, code, units }, check) => {
    livePet(model, pet);
    check('pet', pet);
    const taken = model.codes.get(keyOf(code));
    if (taken !== undefined) return taken.pet === pet && taken.units === units ? done : refuse('code_taken');
    model.codes.set(keyOf(code), { code, pet, units });
    appendRow(model, { kind: 'code.added', pet });
    return done;
  },
  'remove code': (model, { code }) => {
    const { pet } = model.codes.get(keyOf(code)) ?? refuse('code_not_found');
    model.codes.delete(keyOf(code));
    appendRow(model, { kind: 'code.removed', pet });
    return done;
  },
};
