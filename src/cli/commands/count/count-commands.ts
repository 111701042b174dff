import { countAdd } from './add.js';
import { countCancel } from './cancel.js';
import { countClose } from './close.js';
import { countDiff } from './diff.js';
import { countList } from './list.js';
import { countScan } from './scan.js';
import { countStart } from './start.js';
import { countStatus } from './status.js';
import { countUndo } from './undo.js';
import { countView } from './view.js';
import type { Command } from '../../command.js';

/** The commands of counts. */
export const countCommands: readonly Command[] = [
  countStart,
  countScan,
  countAdd,
  countUndo,
  countStatus,
  countView,
  countDiff,
  countClose,
  countCancel,
  countList,
];
