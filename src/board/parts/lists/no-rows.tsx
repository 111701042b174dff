import type { ComponentChildren, JSX } from 'preact';
import { href, pageAddress } from '../../state/router.js';

interface NoRowsProps {
  /** The noun of a row, such as "pet". */
  readonly noun: string;
  /** What is shown where the address has no filter. */
  readonly children: ComponentChildren;
}

/** Shown instead of a list without rows: that nothing matches the filters of the address, or that there is nothing yet. */
export function NoRows({ noun, children }: NoRowsProps): JSX.Element {
  const { path, query } = pageAddress.value;
  if (query.size === 0) return <>{children}</>;
  return (
    <>
      No {noun} matches. <a href={href(path)}>Show all {noun}s</a>
    </>
  );
}
