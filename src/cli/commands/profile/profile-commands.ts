import { profileList } from './list.js';
import { profileAdd } from './add.js';
import { profileUse } from './use.js';
import { profileRemove } from './remove.js';
import type { Command } from '../../command.js';

/** The commands of profiles. */
export const profileCommands: readonly Command[] = [profileList, profileAdd, profileUse, profileRemove];
