import type { JSX } from 'preact';
import { href } from '../../state/router.js';
import { may } from '../../state/session.js';

/** What an empty shop says in place of its stock: how to add pets. */
export function NoPets(): JSX.Element {
  return (
    <>
      The shop has no pets yet.{' '}
      {may('importPets') && (
        <>
          <a href={href('/imports', { kind: 'pets' })}>Import a file of pets</a>, or add one on the command line: <code>petstore pet create</code>
        </>
      )}
    </>
  );
}
