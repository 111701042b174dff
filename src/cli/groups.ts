import type { CopyReport, CopyRequest } from '../domain/copies.js';
import type { BackupReport, BackupRequest, DoctorReport, DoctorRequest, RestoreReport, RestoreRequest } from '../domain/maintenance.js';
import type { Found, LookedUp } from '../domain/look-ups.js';
import type { Shop } from '../domain/shop.js';
import type { GlobalFlags, Settings } from '../settings.js';
import type { ConfigurationDoor } from '../settings/door.js';
import type { Command } from './command.js';
import type { ServeFlags } from './commands/serve.js';
import type { Shell } from './completion/shells.js';
import type { Io } from './io.js';

/** Opens the shop that the settings name. */
export type OpenShop = (settings: Settings) => Promise<Shop>;

/** A server that was started. */
export interface Served {
  /** Where it can be reached. */
  readonly address: string;
  /** Resolves when it was told to stop and has answered what it had to. */
  readonly ended: Promise<void>;
}

/** Serves the shop that the settings name over HTTP. */
export type ServeShop = (settings: Settings, flags: ServeFlags) => Promise<Served>;

/** Copies a shop from one place to another. */
export type CopyShop = (settings: Settings, request: CopyRequest) => Promise<CopyReport>;

/** Looks after the shop that the settings name. */
export interface Housekeeping {
  readonly backup: (settings: Settings, request: BackupRequest) => Promise<BackupReport>;
  readonly restore: (settings: Settings, request: RestoreRequest) => Promise<RestoreReport>;
  readonly doctor: (settings: Settings, request: DoctorRequest) => Promise<DoctorReport>;
}

/** Looks up what people may mean while they type, from what is quickly at hand; changes nothing and waits for nobody. */
export type LookUp = (settings: Settings, noun: LookedUp, text: string) => Promise<readonly Found[]>;

/** What stays outside the domain layer: making shops, and looking after them. */
export interface Setup {
  readonly open: OpenShop;
  readonly init: (settings: Settings, sample: boolean) => Promise<{ readonly created: boolean; readonly filled: boolean }>;
  readonly copy: CopyShop;
  readonly housekeeping: Housekeeping;
  readonly serve: ServeShop;
  readonly lookUp: LookUp;
  /** What a shell runs to complete the words of petstore. */
  readonly completionScript: (shell: Shell) => Promise<string>;
  /** The OpenAPI document of the operations. */
  readonly openapi: (options: { readonly stableOnly: boolean }) => Promise<unknown>;
  /** Without `configured` the file of settings is left out. */
  readonly settings: (flags: GlobalFlags, environment: Io['environment'], configured?: boolean) => Settings;
  readonly configuration: ConfigurationDoor;
  readonly version: string;
}

/** A noun, or a word of its own, with its commands. */
export interface Group {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly heading: string;
  readonly load: (setup: Setup) => Promise<readonly Command[]>;
}

const records = 'Records:';
const shopHeading = 'The shop:';
const ownHeading = 'Your settings:';
const housekeepingHeading = 'Housekeeping:';
const helpHeading = 'Help:';

/** The groups of commands; only the one that is asked for is loaded. */
export const groups: readonly Group[] = [
  { name: 'pet', aliases: ['pets'], summary: 'the animals', heading: records, load: async () => (await import('./commands/pets.js')).petCommands },
  {
    name: 'category',
    aliases: ['categories'],
    summary: 'the kinds of animals',
    heading: records,
    load: async () => (await import('./commands/categories.js')).categoryCommands,
  },
  {
    name: 'order',
    aliases: ['orders'],
    summary: 'what customers ordered',
    heading: records,
    load: async () => (await import('./commands/orders.js')).orderCommands,
  },
  {
    name: 'inventory',
    aliases: [],
    summary: 'how many of each are on hand',
    heading: records,
    load: async () => (await import('./commands/inventory.js')).inventoryCommands,
  },
  {
    name: 'log',
    aliases: [],
    summary: 'what happened, when and by whom',
    heading: shopHeading,
    load: async () => (await import('./commands/log.js')).logCommands,
  },
  {
    name: 'status',
    aliases: [],
    summary: 'the figures of the whole shop',
    heading: shopHeading,
    load: async () => (await import('./commands/status.js')).statusCommands,
  },
  {
    name: 'report',
    aliases: ['reports'],
    summary: 'stock, movements and sales in figures',
    heading: shopHeading,
    load: async () => (await import('./commands/reports.js')).reportCommands,
  },
  {
    name: 'token',
    aliases: ['tokens'],
    summary: 'who may ask over HTTP, and for what',
    heading: shopHeading,
    load: async () => (await import('./commands/tokens.js')).tokenCommands,
  },
  {
    name: 'init',
    aliases: [],
    summary: 'set up a shop',
    heading: shopHeading,
    load: async (setup) => (await import('./commands/init.js')).initCommands(setup.init),
  },
  {
    name: 'copy',
    aliases: [],
    summary: 'move a shop to another place',
    heading: shopHeading,
    load: async (setup) => (await import('./commands/copy.js')).copyCommands(setup.copy),
  },
  {
    name: 'serve',
    aliases: [],
    summary: 'serve the shop over HTTP',
    heading: shopHeading,
    load: async (setup) => (await import('./commands/serve.js')).serveCommands(setup.serve),
  },
  {
    name: 'openapi',
    aliases: [],
    summary: 'the OpenAPI document of the HTTP interface',
    heading: shopHeading,
    load: async (setup) => (await import('./commands/openapi.js')).openapiCommands(setup.openapi),
  },
  {
    name: 'config',
    aliases: [],
    summary: 'the settings, and where each comes from',
    heading: ownHeading,
    load: async (setup) => (await import('./commands/config.js')).configCommands(setup.configuration),
  },
  {
    name: 'profile',
    aliases: ['profiles'],
    summary: 'shops by name',
    heading: ownHeading,
    load: async (setup) => (await import('./commands/profiles.js')).profileCommands(setup.configuration),
  },
  {
    name: 'backup',
    aliases: [],
    summary: 'write the shop to a file, while others go on',
    heading: housekeepingHeading,
    load: async (setup) => (await import('./commands/backup.js')).backupCommands(setup.housekeeping),
  },
  {
    name: 'restore',
    aliases: [],
    summary: 'make the shop what it was at a backup',
    heading: housekeepingHeading,
    load: async (setup) => (await import('./commands/restore.js')).restoreCommands(setup.housekeeping),
  },
  {
    name: 'doctor',
    aliases: [],
    summary: 'look the shop through, and mend it',
    heading: housekeepingHeading,
    load: async (setup) => (await import('./commands/doctor.js')).doctorCommands(setup.housekeeping),
  },
  {
    name: 'completion',
    aliases: [],
    summary: 'complete words in the shell with the tab key',
    heading: helpHeading,
    load: async (setup) => (await import('./commands/completion.js')).completionCommands(setup.completionScript),
  },
  {
    name: 'commands',
    aliases: [],
    summary: 'every command, also for programs to read',
    heading: helpHeading,
    load: async (setup) => (await import('./commands/commands.js')).listingCommands(() => everyCommand(setup)),
  },
];

/** The group of a name or another name of it. */
export function groupNamed(word: string | undefined): Group | undefined {
  return groups.find(({ name, aliases }) => name === word || (word !== undefined && aliases.includes(word)));
}

/** Every command, with the other names of its noun. */
export async function everyCommand(setup: Setup): Promise<readonly { readonly command: Command; readonly nounAliases: readonly string[] }[]> {
  const all = await Promise.all(groups.map(async ({ load, aliases }) => (await load(setup)).map((command) => ({ command, nounAliases: aliases }))));
  return all.flat();
}
