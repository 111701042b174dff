import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { shopName } from '../state/session.js';
import { inertText } from './text.js';

/** The id of the heading that gets the focus after a navigation. */
export const headingId = 'heading';

interface ScreenProps {
  readonly title: string;
  /** Shown beside the heading. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The frame of a screen: its heading, which is the title of the window too, and its content. */
export function Screen({ title, aside, children }: ScreenProps): JSX.Element {
  const shop = shopName.value;
  useEffect(() => {
    document.title = `${inertText(title)} · ${inertText(shop)}`;
  }, [title, shop]);
  return (
    <>
      <div class="screen-head">
        <h1 id={headingId} tabIndex={-1}>
          {title}
        </h1>
        {aside}
      </div>
      {children}
    </>
  );
}

/** A part of a screen with a heading of its own. */
export function Panel({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element {
  const id = `panel-${title.toLowerCase().replaceAll(/\W+/g, '-')}`;
  return (
    <section class="panel" aria-labelledby={id}>
      <div class="panel-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
