import { tokenCreate } from './create.js';
import { tokenList } from './list.js';
import { tokenRevoke } from './revoke.js';
import type { Command } from '../../command.js';

/** The commands of tokens. */
export const tokenCommands: readonly Command[] = [tokenCreate, tokenList, tokenRevoke];
