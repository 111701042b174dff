import * as v from 'valibot';
import { customOperation } from '../operation.js';
import { exampleSession, session, signIn } from './session.js';

/** Starts a session in the browser. Performed by the HTTP server. */
export const createSession = customOperation({
  id: 'createSession',
  summary: 'Sign in',
  description:
    'Starts a session of 12 hours, or of 90 days if the token may only read, for a web page of this server and sets its cookie. The session has the scopes of the token and ends with it; a one-time code, which a server gives to the user who starts it, allows everything. A request with the cookie must carry `Sec-Fetch-Site: same-origin`, as browsers send it for their own pages; programs send the token itself. Signing in requires HTTPS, except at localhost.',
  tag: 'Session',
  stability: 'beta',
  method: 'POST',
  path: '/session',
  status: 200,
  input: v.strictObject({ body: signIn }),
  output: session,
  refuses: ['validation_failed', 'invalid_token', 'rate_limited'],
  example: { body: { token: 'pst_7_Zp3vW0nXh5yTq8rL1sKdF2uGmB6cJ9aEoIiQxRzVtYw' }, answer: exampleSession },
  cost: 'row',
});
