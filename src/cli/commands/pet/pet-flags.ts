import { completeRecords } from '../../completion/completers.js';
import type { PetFields } from '../../../domain/pets/pet.js';
import { petStatuses, type PetStatus } from '../../../domain/pets/pet-status.js';
import { choice, flag, type Flag, type FlagValues } from '../../flags.js';
import { anyText } from '../../readers.js';

type FlagName = keyof Omit<PetFields, 'categoryId'> | 'category' | 'status';

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
  } satisfies Readonly<Record<FlagName, Flag<unknown>>>;
}

type OptionalFields = Omit<PetFields, 'name' | 'categoryId'> & { readonly status?: PetStatus | undefined };

/** The fields that a new pet can be created without, from their flags. */
export function optionalFields({ status }: Omit<FlagValues<ReturnType<typeof petFlags>>, 'name' | 'category'>): Required<OptionalFields> {
  return { status };
}
