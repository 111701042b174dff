import { petList } from './list.js';
import { petView } from './view.js';
import { petCreate } from './create.js';
import { petEdit } from './edit.js';
import { petDelete } from './delete.js';
import { petHold } from './hold.js';
import { petRelease } from './release.js';
import { petExport } from './export.js';
import type { Command } from '../../command.js';
import { petImport } from './import.js';

/** The commands of pets. */
export const petCommands: readonly Command[] = [petList, petView, petCreate, petEdit, petDelete, petHold, petRelease, petImport, petExport];
