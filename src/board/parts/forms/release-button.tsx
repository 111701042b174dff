import type { JSX } from 'preact';
import { useAction } from '../../state/changes/action.js';
import { may } from '../../state/session.js';
import { Name } from '../name.js';
import { RefusalBox } from '../shown.js';

interface ReleaseButtonProps {
  readonly petId: number;
  readonly name: string;
  readonly onReleased: () => void;
}

/** Puts a pet that is on hold back on sale, where it is wanted. */
export function ReleaseButton({ petId, name, onReleased }: ReleaseButtonProps): JSX.Element | null {
  const release = useAction('releasePet', (pet) => `Released ${pet.name}.`);
  if (!may('releasePet')) return null;
  const submit = async (): Promise<void> => {
    if (await release.run({ petId })) onReleased();
  };
  return (
    <>
      <button type="button" class="small" onClick={() => void submit()}>
        Release
        <span class="visually-hidden">
          {' '}
          <Name of={name} />
        </span>
      </button>
      {release.refusal.value && <RefusalBox of={release.refusal.value} />}
    </>
  );
}
