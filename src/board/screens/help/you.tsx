import type { JSX } from 'preact';
import type { Scope } from '../../../domain/tokens/token.js';
import { Facts } from '../../parts/facts.js';
import { Name } from '../../parts/name.js';
import { Panel } from '../../parts/screen.js';
import { Time } from '../../parts/time.js';
import { session } from '../../state/session.js';

/** What each scope allows on the board. */
const rights: Readonly<Record<Exclude<Scope, 'admin'>, string>> = {
  'store:read': 'see the stock, orders, the ledger, imports and reports',
  'store:write': 'sell, count, receive and write off; place, complete and cancel orders; import stock; undo',
  'pets:read': 'see pets and categories',
  'pets:write': 'hold and release pets, and import them',
};

function Rights({ title, of }: { readonly title: string; readonly of: readonly string[] }): JSX.Element | null {
  if (of.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul class="bulleted">
        {of.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

/** Who is signed in, and what is allowed. */
export function You(): JSX.Element | null {
  const current = session.value;
  if (typeof current !== 'object') return null;
  const { name, scopes, expiresAt, signInRequired, server } = current;
  const allowed: readonly string[] = scopes;
  const textsOf = (isAllowed: boolean): readonly string[] =>
    Object.entries(rights).flatMap(([scope, text]) => (allowed.includes(scope) === isAllowed ? [text] : []));
  return (
    <Panel title="You">
      <Facts
        of={{
          'Name in the ledger': <Name of={name} />,
          'Signed in until': signInRequired ? expiresAt === undefined ? 'you sign out' : <Time at={expiresAt} /> : 'nobody has to sign in here',
          Shop: <Name of={server.shop} />,
          Server: `petstore ${server.version}, ${server.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`,
        }}
      />
      <div class="rights">
        <Rights title="You may" of={textsOf(true)} />
        <Rights title="You may not" of={textsOf(false)} />
      </div>
    </Panel>
  );
}
