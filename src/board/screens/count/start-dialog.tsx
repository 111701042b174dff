import { formDialog } from '../../parts/forms/form-dialog.js';
import { countText } from '../../parts/text.js';
import { go, href } from '../../state/router.js';
import { may } from '../../state/session.js';

const typed = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());

/** Starts a count of the pets that meet all that is chosen, and opens it. */
export const StartDialog = formDialog({
  operation: 'startCount',
  title: 'Start a count',
  fields: {
    categoryIds: { type: 'category', label: 'Category', isShown: () => may('listCategories') },
    q: { label: 'Name contains (optional)' },
    low: { type: 'check', label: 'Only pets that are low' },
    blind: { type: 'check', label: 'Blind: do not show what is expected' },
    note: { label: 'Note (optional)' },
  },
  categories: () => [{ value: '', label: 'Every category' }],
  label: 'Start',
  hasNote: false,
  input: ({ categoryIds, q, note, low, blind }) => ({
    body: { categoryIds: categoryIds === '' ? undefined : [Number(categoryIds)], q: typed(q), note: typed(note), low, blind },
  }),
  sentence: ({ id, pets }) => `Started count ${id} of ${countText(pets, 'pet')}.`,
  onDone: ({ id }) => go(href(`/counts/${id}`)),
});
