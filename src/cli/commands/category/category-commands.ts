import { categoryList } from './list.js';
import { categoryView } from './view.js';
import { categoryCreate } from './create.js';
import { categoryEdit } from './edit.js';
import { categoryDelete } from './delete.js';
import type { Command } from '../../command.js';

/** The commands of categories. */
export const categoryCommands: readonly Command[] = [categoryList, categoryView, categoryCreate, categoryEdit, categoryDelete];
