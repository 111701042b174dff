import { configList } from './list.js';
import { configGet } from './get.js';
import { configSet } from './set.js';
import { configPath } from './path.js';
import type { Command } from '../../command.js';

/** The commands of the settings. */
export const configCommands: readonly Command[] = [configList, configGet, configSet, configPath];
