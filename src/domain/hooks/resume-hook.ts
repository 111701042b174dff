import * as v from 'valibot';
import { writeOperation } from '../operation.js';
import { exampleHook, hook, hookIdParameter } from './hook.js';
import { setHookState } from './require-hook.js';

/** Resumes a webhook. */
export const resumeHook = writeOperation({
  id: 'resumeHook',
  summary: 'Resume a webhook',
  description: 'Sends events again, from the position of the hook, and at once what failed before.',
  tag: 'Store',
  alsoRequires: 'admin',
  stability: 'beta',
  method: 'POST',
  path: '/store/hooks/{hookId}/resume',
  status: 200,
  input: v.strictObject({ hookId: hookIdParameter }),
  output: hook,
  refuses: [],
  example: { answer: exampleHook },
  cost: 'row',
  run: (tx, { hookId }) => setHookState(tx, hookId, 'active'),
});
