import type { Caller } from '../domain/caller.js';
import type { BackupReport, BackupRequest, DoctorReport, DoctorRequest, RestoreReport, RestoreRequest, ShopState } from '../domain/maintenance/maintenance.js';
import type { Engine } from './engine.js';

/** Which shop to open, and how. */
export interface OpenOptions {
  /** The path of a file or the URL of a PostgreSQL database. */
  readonly store: string;
  /** The address for display, without a password. */
  readonly where: string;
  /** Creates the shop when it is missing; without it a missing shop is `store_missing`. */
  readonly create?: boolean;
  /** Called when the shop was created. */
  readonly onCreated?: () => void;
  /** How long to wait for locks, and for a server that cannot be reached. */
  readonly waitSeconds: number;
  /** Opens the shop for reading only, and refuses every change with `store_read_only`. */
  readonly readOnly?: boolean;
  /** For a server with many clients: opens more connections, and leaves the checkpoints to a separate thread. */
  readonly forManyClients?: boolean;
  /** The native addon of better-sqlite3; inside a bundle it cannot find the addon itself. */
  readonly nativeBinding: string | undefined;
}

/** Which shop a maintenance command works on, how it is opened, and who runs the command. */
export interface MaintenanceContext extends Pick<OpenOptions, 'store' | 'where' | 'waitSeconds' | 'nativeBinding'>, Pick<Caller, 'actor' | 'clock'> {}

/** Whose state is read, and how. */
export interface ShopStateContext extends Pick<MaintenanceContext, 'store' | 'waitSeconds' | 'nativeBinding'> {
  /** Whether a schema that petstore did not create is refused. */
  readonly strict?: boolean;
}

/** The maintenance commands of an engine. A command that the engine does not support refuses with `usage` and names the tools to use. */
export interface EngineMaintenance {
  /**
   * The state of a shop, read without changing a byte of it; undefined when it is missing, only a writer could read it, or it is not a file. With
   * `strict` a schema that petstore did not create is refused with `store_unreadable`.
   */
  readonly state: (context: ShopStateContext) => Promise<ShopState | undefined>;
  /** Refuses with `file_exists`, `usage`, `store_full` and with what opening a shop refuses. */
  readonly backup: (context: MaintenanceContext, request: BackupRequest) => Promise<BackupReport>;
  /** Refuses a damaged or foreign backup with `store_unreadable`, and one of a newer program with `schema_too_new`. */
  readonly restore: (context: MaintenanceContext, request: RestoreRequest) => Promise<RestoreReport>;
  /** Problems are failed checks of the report; refuses only a shop that cannot be opened, and a repair of a damaged file (`store_unreadable`). */
  readonly check: (context: MaintenanceContext, request: DoctorRequest) => Promise<DoctorReport>;
}

/** Moves the write-ahead log into the database file. */
export interface Checkpointer {
  readonly run: () => void;
  readonly close: () => void;
}

/** A storage engine. Differences between engines are fields here, or files of the same name in the folder of each engine. */
export interface EngineDefinition {
  readonly name: 'sqlite' | 'postgres';
  /** Whether a store address belongs to this engine. */
  readonly matches: (store: string) => boolean;
  /** Refuses with `store_missing`, `store_unreadable`, `store_unreachable`, `schema_too_new`, `store_read_only` or `store_busy`. */
  readonly open: (options: OpenOptions) => Promise<Engine>;
  /** A string that is equal for all addresses of one shop. */
  readonly identity: (store: string) => string;
  /** How many long reads a server runs at the same time. */
  readonly concurrentLongReads: number;
  /** Opens a checkpointer for a separate thread; absent when the database manages its log itself. */
  readonly openCheckpointer?: (store: string, nativeBinding: string | undefined) => Promise<Checkpointer>;
  readonly maintenance: () => Promise<EngineMaintenance>;
}
