import type { CopyReport, CopyRequest } from '../domain/maintenance/copy.js';
import type { BackupReport, BackupRequest, DoctorReport, DoctorRequest, RestoreReport, RestoreRequest } from '../domain/maintenance/maintenance.js';
import type { LookupMatch, LookupKind } from '../domain/lookup.js';
import type { Shop } from '../domain/shop.js';
import type { GlobalFlags, Settings } from '../settings/settings.js';
import type { ConfigStore } from '../settings/config-store.js';
import type { ServeFlags } from './serve-flags.js';
import type { Shell } from './completion/shells.js';
import type { Guide } from './help/topics.js';
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
export type LookUp = (settings: Settings, noun: LookupKind, text: string) => Promise<readonly LookupMatch[]>;

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
  readonly guide: Guide;
  /** The OpenAPI document of the operations. */
  readonly openapi: (options: { readonly stableOnly: boolean }) => Promise<unknown>;
  /** Without `configured` the file of settings is left out. */
  readonly settings: (flags: GlobalFlags, environment: Io['environment'], configured?: boolean) => Settings;
  readonly configuration: ConfigStore;
  readonly version: string;
}
