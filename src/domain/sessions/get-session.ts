import * as v from 'valibot';
import { customOperation } from '../operation.js';
import { exampleSession, session } from './session.js';

/** Tells who is signed in. Performed by the HTTP server. */
export const getSession = customOperation({
  id: 'getSession',
  summary: 'Show who is signed in',
  description:
    'Shows who sends the request and what is allowed: the session, the token, or everything where the server requires neither. Also shows the options of the server.',
  tag: 'Session',
  stability: 'beta',
  method: 'GET',
  path: '/session',
  status: 200,
  input: v.strictObject({}),
  output: session,
  refuses: ['unauthenticated'],
  example: { answer: exampleSession },
  cost: 'row',
});
