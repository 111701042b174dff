import * as v from 'valibot';
import { writeOperation } from '../operation.js';
import { exampleHook, hook, hookIdParameter } from './hook.js';
import { setHookState } from './require-hook.js';

/** Pauses a webhook. */
export const pauseHook = writeOperation({
  id: 'pauseHook',
  summary: 'Pause a webhook',
  description: 'Stops sending events. The hook keeps its position: nothing is lost while it is paused.',
  tag: 'Store',
  alsoRequires: 'admin',
  stability: 'beta',
  method: 'POST',
  path: '/store/hooks/{hookId}/pause',
  status: 200,
  input: v.strictObject({ hookId: hookIdParameter }),
  output: hook,
  refuses: [],
  example: { answer: { ...exampleHook, state: 'paused' } },
  cost: 'row',
  run: (tx, { hookId }) => setHookState(tx, hookId, 'paused'),
});
