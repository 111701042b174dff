import type { JSX } from 'preact';
import { href } from '../state/router.js';
import { may } from '../state/session.js';
import { inertText } from './text.js';

/** A name that somebody typed: inert, and isolated from the direction of the text around it. */
export function Name({ of }: { readonly of: string }): JSX.Element {
  return <bdi class="name">{inertText(of)}</bdi>;
}

/** A link to a pet, where the session may see pets; one that was deleted has no name any more. */
export function PetLink({ id, name }: { readonly id: number; readonly name?: string | undefined }): JSX.Element {
  const text = name === undefined ? `pet ${id}` : <Name of={name} />;
  return may('getPetDetails') ? <a href={href(`/pets/${id}`)}>{text}</a> : <>{text}</>;
}

function recordLink(noun: string, path: string): (props: { readonly id: number }) => JSX.Element {
  return ({ id }) => (
    <a class="unbroken" href={href(`${path}/${id}`)}>
      {noun} {id}
    </a>
  );
}

/** A link to an order. */
export const OrderLink = recordLink('order', '/orders');

/** A link to a bulk import, which is called a batch on the command line as well. */
export const BatchLink = recordLink('batch', '/imports');

/** A link to a count of the stock. */
export const CountLink = recordLink('count', '/counts');
