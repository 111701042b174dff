import * as v from 'valibot';
import { customOperation } from '../operation.js';
import { session } from './session.js';

/** Ends the session of the browser. Performed by the HTTP server. */
export const deleteSession = customOperation({
  id: 'deleteSession',
  summary: 'Sign out',
  description: 'Ends the session and removes its cookie. Has no effect on a request without a session.',
  tag: 'Session',
  stability: 'beta',
  method: 'DELETE',
  path: '/session',
  status: 204,
  input: v.strictObject({}),
  output: session,
  refuses: [],
  example: { answer: undefined },
  cost: 'row',
});
