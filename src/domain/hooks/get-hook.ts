import * as v from 'valibot';
import { readOperation } from '../operation.js';
import { exampleHook, hook, hookIdParameter } from './hook.js';
import { requireHook } from './require-hook.js';

/** Reads one webhook. */
export const getHook = readOperation({
  id: 'getHook',
  summary: 'Read a webhook',
  description: 'Reads one webhook. Its secret is never shown.',
  tag: 'Store',
  alsoRequires: 'admin',
  stability: 'beta',
  path: '/store/hooks/{hookId}',
  input: v.strictObject({ hookId: hookIdParameter }),
  output: hook,
  refuses: [],
  example: { answer: exampleHook },
  cost: 'row',
  run: (tx, { hookId }) => requireHook(tx, hookId),
});
