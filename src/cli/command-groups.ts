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
  /** What a message calls its second words, where "command" is not the word that people use. */
  readonly commandNoun?: string;
  /** Whether its commands work on the shop of --store and --profile. */
  readonly opensShop: boolean;
  readonly load: () => Promise<readonly Command[]>;
}

/** The headings of the first screen, in its order. */
export const headings = ['At the counter', 'Pets, stock, orders and reports', 'Administration', 'Reference'] as const;

/** The groups of commands; a command line loads only its own group. */
export const groups: readonly Group[] = [
  {
    name: 'sell',
    aliases: [],
    summary: 'sell pets over the counter',
    heading: 'At the counter',
    opensShop: true,
    load: async () => [(await import('./commands/counter/sell.js')).sellCommand],
  },
  {
    name: 'receive',
    aliases: [],
    summary: 'add delivered units to the stock',
    heading: 'At the counter',
    opensShop: true,
    load: async () => [(await import('./commands/counter/receive.js')).receiveCommand],
  },
  {
    name: 'find',
    aliases: [],
    summary: 'find pets by name, with their stock',
    heading: 'At the counter',
    opensShop: true,
    load: async () => [(await import('./commands/counter/find.js')).findCommand],
  },
  {
    name: 'undo',
    aliases: [],
    summary: 'undo your last change',
    heading: 'At the counter',
    opensShop: true,
    load: async () => [(await import('./commands/counter/undo.js')).undoCommand],
  },
  {
    name: 'pet',
    aliases: ['pets'],
    summary: 'list, create and change pets',
    heading: 'Pets, stock, orders and reports',
    opensShop: true,
    load: async () => (await import('./commands/pet/pet-commands.js')).petCommands,
  },
  {
    name: 'category',
    aliases: ['categories'],
    summary: 'list, create and change categories',
    heading: 'Pets, stock, orders and reports',
    opensShop: true,
    load: async () => (await import('./commands/category/category-commands.js')).categoryCommands,
  },
  {
    name: 'order',
    aliases: ['orders'],
    summary: 'place, complete and cancel orders',
    heading: 'Pets, stock, orders and reports',
    opensShop: true,
    load: async () => (await import('./commands/order/order-commands.js')).orderCommands,
  },
  {
    name: 'inventory',
    aliases: [],
    summary: 'count, adjust and import stock',
    heading: 'Pets, stock, orders and reports',
    subgroups: { batch: 'list and show bulk imports' },
    opensShop: true,
    load: async () => (await import('./commands/inventory/inventory-commands.js')).inventoryCommands,
  },
  {
    name: 'count',
    aliases: ['counts'],
    summary: 'count the stock, by one or several people',
    heading: 'Pets, stock, orders and reports',
    opensShop: true,
    load: async () => (await import('./commands/count/count-commands.js')).countCommands,
  },
  {
    name: 'log',
    aliases: [],
    summary: 'show the ledger: every change, when and by whom',
    heading: 'Pets, stock, orders and reports',
    opensShop: true,
    load: async () => [(await import('./commands/log.js')).logCommand],
  },
  {
    name: 'status',
    aliases: [],
    summary: 'show the figures of the whole shop',
    heading: 'At the counter',
    opensShop: true,
    load: async () => [(await import('./commands/status.js')).statusCommand],
  },
  {
    name: 'report',
    aliases: ['reports'],
    summary: 'report on stock, movements and sales',
    commandNoun: 'report',
    heading: 'Pets, stock, orders and reports',
    opensShop: true,
    load: async () => (await import('./commands/report/report-commands.js')).reportCommands,
  },
  {
    name: 'token',
    aliases: ['tokens'],
    summary: 'manage access tokens for HTTP',
    heading: 'Administration',
    opensShop: true,
    load: async () => (await import('./commands/token/token-commands.js')).tokenCommands,
  },
  {
    name: 'session',
    aliases: ['sessions'],
    summary: 'list and end sessions of the shop board',
    heading: 'Administration',
    opensShop: true,
    load: async () => (await import('./commands/session/session-commands.js')).sessionCommands,
  },
  {
    name: 'init',
    aliases: [],
    summary: 'set up a shop',
    heading: 'Administration',
    opensShop: true,
    load: async () => [(await import('./commands/init.js')).initCommand],
  },
  {
    name: 'copy',
    aliases: [],
    summary: 'copy a shop to another file or database',
    heading: 'Administration',
    opensShop: true,
    load: async () => [(await import('./commands/copy.js')).copyCommand],
  },
  {
    name: 'serve',
    aliases: [],
    summary: 'serve the shop over HTTP',
    heading: 'Administration',
    opensShop: true,
    load: async () => [(await import('./commands/serve.js')).serveCommand],
  },
  {
    name: 'openapi',
    aliases: [],
    summary: 'print the OpenAPI document of the HTTP interface',
    heading: 'Reference',
    opensShop: false,
    load: async () => [(await import('./commands/openapi.js')).openapiCommand],
  },
  {
    name: 'config',
    aliases: [],
    summary: 'show and change settings',
    heading: 'Administration',
    opensShop: false,
    load: async () => (await import('./commands/config/config-commands.js')).configCommands,
  },
  {
    name: 'profile',
    aliases: ['profiles'],
    summary: 'manage named shops and their settings',
    heading: 'Administration',
    opensShop: false,
    load: async () => (await import('./commands/profile/profile-commands.js')).profileCommands,
  },
  {
    name: 'backup',
    aliases: [],
    summary: 'back up the shop while it stays in use',
    heading: 'Administration',
    opensShop: true,
    load: async () => [(await import('./commands/backup.js')).backupCommand],
  },
  {
    name: 'restore',
    aliases: [],
    summary: 'restore the shop from a backup',
    heading: 'Administration',
    opensShop: true,
    load: async () => [(await import('./commands/restore.js')).restoreCommand],
  },
  {
    name: 'doctor',
    aliases: [],
    summary: 'check the shop and repair it',
    heading: 'Administration',
    opensShop: true,
    load: async () => [(await import('./commands/doctor.js')).doctorCommand],
  },
  {
    name: 'completion',
    aliases: [],
    summary: 'set up tab completion in the shell',
    heading: 'Reference',
    opensShop: false,
    load: async () => [(await import('./commands/completion.js')).completionCommand],
  },
  {
    name: 'commands',
    aliases: [],
    summary: 'list all commands, also as JSON',
    heading: 'Reference',
    opensShop: false,
    load: async () => [(await import('./commands/commands.js')).commandsCommand(everyCommand)],
  },
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
