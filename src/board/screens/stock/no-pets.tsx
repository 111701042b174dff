import type { JSX } from 'preact';
import { useCall } from '../../state/live/loaded.js';
import { href } from '../../state/router.js';
import { may } from '../../state/session.js';
import { NewRecords } from './new-records.js';

/** What an empty shop shows in place of its stock: the first steps. */
export function NoPets(): JSX.Element {
  const categories = useCall('listCategories', { limit: 1 });
  if (!may('createPet')) return <>The shop has no pets yet.</>;
  const isFirst = categories.value?.items.length === 0;
  return (
    <div class="first-steps">
      <p>
        {isFirst ? 'The shop is empty. Begin with a category, such as Fish; then add its pets' : 'The shop has no pets yet. Add the first one'}, or{' '}
        <a href={href('/imports', { kind: 'pets' })}>import a file of pets</a>.
      </p>
      <NewRecords key={String(isFirst)} first={isFirst ? 'category' : 'pet'} />
    </div>
  );
}
