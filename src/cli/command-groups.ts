import type { Command } from './command.js';

/** The commands below a first word: of a noun, such as `pet`, or one command, such as `status`. */
export interface Group {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  /** The heading above it in the first screen. */
  readonly heading: (typeof headings)[number];
  /** The summaries of the second words that have commands below them, such as `batch` of `inventory batch list`. */
  readonly subgroups?: Readonly<Record<string, string>>;
  /** Whether its commands work on the shop of --store and --profile. */
  readonly opensShop: boolean;
  /** Whether its `list` shows what its commands changed; the ledger does not, or not all of it. */
  readonly listsChanges?: true;
  readonly load: () => Promise<readonly Command[]>;
}

/** The headings of the first screen, in its order. Those below the last one are only named, on one line. */
export const headings = ['At the counter', 'Pets, stock, orders and reports', 'Administration', 'Also'] as const;

const [counter, records, administration, also] = headings;

/** A group; without `others` it opens the shop and has no other name. */
function group(
  name: string,
  heading: Group['heading'],
  summary: string,
  load: Group['load'],
  others: Partial<Pick<Group, 'aliases' | 'subgroups' | 'opensShop' | 'listsChanges'>> = {},
): Group {
  return { name, aliases: [], summary, heading, opensShop: true, load, ...others };
}

/** The groups of commands; a command line loads only its own group. */
export const groups: readonly Group[] = [
  group('sell', counter, 'sell pets over the counter', async () => [(await import('./commands/counter/sell.js')).sellCommand]),
  group('receive', counter, 'add delivered units to the stock', async () => [(await import('./commands/inventory/change-stock.js')).receiveCommand]),
  group('return', counter, 'take back units of a sale', async () => [(await import('./commands/counter/counter-commands.js')).returnCommand], {
    aliases: ['refund'],
  }),
  group('find', counter, 'find pets by name, with their stock', async () => [(await import('./commands/counter/counter-commands.js')).findCommand]),
  group('undo', counter, 'undo your last change', async () => [(await import('./commands/counter/undo.js')).undoCommand]),
  group('pet', records, 'list, create and change pets', async () => (await import('./commands/pet/pet-commands.js')).petCommands, { aliases: ['pets'] }),
  group('code', records, 'manage barcodes and other codes of pets', async () => (await import('./commands/code/code-commands.js')).codeCommands, {
    aliases: ['codes'],
  }),
  group('category', records, 'list, create and change categories', async () => (await import('./commands/category/category-commands.js')).categoryCommands, {
    aliases: ['categories'],
  }),
  group('order', records, 'place, complete and cancel orders', async () => (await import('./commands/order/order-commands.js')).orderCommands, {
    aliases: ['orders'],
  }),
  group('inventory', records, 'count, adjust and import stock', async () => (await import('./commands/inventory/inventory-commands.js')).inventoryCommands, {
    subgroups: { batch: 'list and show bulk imports' },
  }),
  group('count', records, 'count the stock, by one or several people', async () => (await import('./commands/count/count-commands.js')).countCommands, {
    aliases: ['counts'],
    listsChanges: true,
  }),
  group('label', records, 'make labels with barcodes, to print', async () => [(await import('./commands/label.js')).labelCommand]),
  group('log', records, 'show the ledger: every change, when and by whom', async () => [(await import('./commands/log.js')).logCommand]),
  group('status', counter, 'show the figures of the whole shop', async () => [(await import('./commands/status.js')).statusCommand]),
  group('report', records, 'report on stock, movements and sales', async () => (await import('./commands/report/report-commands.js')).reportCommands, {
    aliases: ['reports'],
  }),
  group('token', administration, 'manage access tokens for HTTP', async () => (await import('./commands/token/token-commands.js')).tokenCommands, {
    aliases: ['tokens'],
    listsChanges: true,
  }),
  group(
    'session',
    administration,
    'list and end sessions of the shop board',
    async () => (await import('./commands/session/session-commands.js')).sessionCommands,
    { aliases: ['sessions'], listsChanges: true },
  ),
  group('hook', administration, 'send the events of the shop to other programs', async () => (await import('./commands/hook/hook-commands.js')).hookCommands, {
    aliases: ['hooks', 'webhook'],
    listsChanges: true,
  }),
  group('init', administration, 'set up a shop', async () => [(await import('./commands/shop-commands.js')).initCommand]),
  group('rename', also, 'name the shop', async () => [(await import('./commands/shop-commands.js')).renameCommand]),
  group('copy', administration, 'copy a shop to another file or database', async () => [(await import('./commands/maintenance-commands.js')).copyCommand]),
  group('serve', administration, 'serve the shop over HTTP', async () => [(await import('./commands/server-commands.js')).serveCommand]),
  group('mcp', administration, 'offer the shop to a program by the Model Context Protocol', async () => [
    (await import('./commands/server-commands.js')).mcpCommand,
  ]),
  group('openapi', also, 'print the OpenAPI document of the HTTP interface', async () => [(await import('./commands/server-commands.js')).openapiCommand], {
    opensShop: false,
  }),
  group('config', administration, 'show and change settings', async () => (await import('./commands/config/config-commands.js')).configCommands, {
    opensShop: false,
  }),
  group(
    'profile',
    administration,
    'manage named shops and their settings',
    async () => (await import('./commands/profile/profile-commands.js')).profileCommands,
    { aliases: ['profiles'], opensShop: false },
  ),
  group('backup', administration, 'back up the shop while it stays in use', async () => [(await import('./commands/maintenance-commands.js')).backupCommand]),
  group('restore', administration, 'restore the shop from a backup', async () => [(await import('./commands/maintenance-commands.js')).restoreCommand]),
  group('doctor', administration, 'check the shop and repair it', async () => [(await import('./commands/maintenance-commands.js')).doctorCommand]),
  group('completion', also, 'print the script for tab completion', async () => [(await import('./commands/program-commands.js')).completionCommand], {
    opensShop: false,
  }),
  group('commands', also, 'list all commands, also as JSON', async () => [(await import('./commands/program-commands.js')).commandsCommand(everyCommand)], {
    opensShop: false,
  }),
  group('version', also, 'show the versions of petstore, Node.js and SQLite', async () => [(await import('./commands/program-commands.js')).versionCommand], {
    opensShop: false,
  }),
];

/** The group of a name or an alias. */
export function groupNamed(word: string | undefined): Group | undefined {
  return groups.find(({ name, aliases }) => name === word || (word !== undefined && aliases.includes(word)));
}

/** The summary of a second word that has commands below it. */
export function subgroupSummary({ name, subgroups }: Group, word: string): string {
  const summary = subgroups?.[word];
  if (summary === undefined) throw new Error(`The group ${name} has no summary for "${word}".`);
  return summary;
}

/** Every command, with the aliases of its group. */
export async function everyCommand(): Promise<readonly { readonly command: Command; readonly groupAliases: readonly string[] }[]> {
  const all = await Promise.all(groups.map(async ({ load, aliases }) => (await load()).map((command) => ({ command, groupAliases: aliases }))));
  return all.flat();
}
