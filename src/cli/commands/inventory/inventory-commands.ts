import { inventoryList } from './list.js';
import { inventoryView } from './view.js';
import { inventorySet } from './set.js';
import { inventoryAdjust } from './adjust.js';
import { inventoryEdit } from './edit.js';
import { inventoryLowAt } from './low-at.js';
import { inventoryImport } from './import.js';
import { inventoryDiff } from './diff.js';
import { inventoryExport } from './export.js';
import { inventoryBatchList } from './batch/list.js';
import { inventoryBatchView } from './batch/view.js';
import { inventoryUndo } from './undo.js';
import type { Command } from '../../command.js';

/** The commands of inventory. */
export const inventoryCommands: readonly Command[] = [
  inventoryList,
  inventoryView,
  inventorySet,
  inventoryAdjust,
  inventoryEdit,
  inventoryLowAt,
  inventoryImport,
  inventoryDiff,
  inventoryExport,
  inventoryBatchList,
  inventoryBatchView,
  inventoryUndo,
];
