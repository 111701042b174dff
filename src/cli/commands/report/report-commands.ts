import { reportDeadStockCommand } from './dead-stock.js';
import { reportStockCommand } from './stock.js';
import { reportMovementsCommand } from './movements.js';
import { reportSellThroughCommand } from './sell-through.js';
import type { Command } from '../../command.js';

/** The commands of reports. */
export const reportCommands: readonly Command[] = [reportStockCommand, reportMovementsCommand, reportSellThroughCommand, reportDeadStockCommand];
