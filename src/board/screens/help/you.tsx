import type { JSX } from 'preact';
import { Facts } from '../../parts/facts.js';
import { Name } from '../../parts/name.js';
import { Panel } from '../../parts/screen.js';
import { Time } from '../../parts/time.js';
import { session } from '../../state/session.js';
import { signOut } from '../../state/sign-in.js';

/** Ends the session, where somebody had to sign in. */
export function SignOut(): JSX.Element | null {
  const current = session.value;
  if (typeof current !== 'object' || !current.signInRequired) return null;
  return (
    <button type="button" class="small control" onClick={() => void signOut()}>
      Sign out
    </button>
  );
}

/** Who is signed in, and what is allowed. */
export function You(): JSX.Element | null {
  const current = session.value;
  if (typeof current !== 'object') return null;
  const { name, scopes, expiresAt, signInRequired, server } = current;
  return (
    <Panel title="You" aside={<SignOut />}>
      <Facts
        of={{
          'Name in the ledger': <Name of={name} />,
          'Signed in until': signInRequired ? expiresAt === undefined ? 'you sign out' : <Time at={expiresAt} /> : 'nobody has to sign in here',
          Scopes: scopes.join(', '),
          Shop: <Name of={server.shop} />,
          Server: `petstore ${server.version}, ${server.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`,
        }}
      />
    </Panel>
  );
}
