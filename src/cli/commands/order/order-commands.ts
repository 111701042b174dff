import { orderList } from './list.js';
import { orderViewCommand } from './view.js';
import { orderPlace } from './place.js';
import { orderEdit } from './edit.js';
import { orderComplete } from './complete.js';
import { orderReopen } from './reopen.js';
import { orderCancel } from './cancel.js';
import { orderExport } from './export.js';
import type { Command } from '../../command.js';

/** The commands of orders. */
export const orderCommands: readonly Command[] = [orderList, orderViewCommand, orderPlace, orderEdit, orderComplete, orderReopen, orderCancel, orderExport];
