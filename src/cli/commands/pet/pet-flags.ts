import { completeRecords } from '../../completion/completers.js';
import type { PetFields } from '../../../domain/pets/pet.js';
import type { Patch } from '../../../domain/values/fields.js';
import { petStatuses, type PetStatus } from '../../../domain/pets/pet-status.js';
import { choice, flag, type Flag, type FlagValues } from '../../flags.js';
import { anyText } from '../../readers.js';

/** The names of the flags for the fields of a pet. */
export type PetFlagName = keyof Omit<PetFields, 'categoryId'> | 'category' | 'status';

/** The flags for the fields of a pet; `article` begins their summaries. */
export function petFlags(article: 'the' | 'the new') {
  return {
    name: flag({ long: 'name', value: 'name', summary: `${article} name`, read: anyText }),
    category: flag({
      long: 'category',
      value: 'category',
      summary: `${article} category, by id or name`,
      read: anyText,
      complete: completeRecords('category'),
    }),
    status: choice({ long: 'status', value: 'status', summary: `${article} status`, choices: petStatuses }),
  } satisfies Readonly<Record<PetFlagName, Flag<unknown>>>;
}

/** The values of `petFlags`. */
export type PetFlagValues = FlagValues<ReturnType<typeof petFlags>>;

type Change = Patch<PetFields> & { readonly status?: PetStatus | undefined };

/** The fields of a pet to change, from their flags; `categoryId` is found by `category`. */
export function petChange({ name, status }: Partial<Omit<PetFlagValues, 'category'>>, categoryId: number | undefined): Required<Change> {
  return { name, categoryId, status };
}
