import type { StoreError } from '../domain/errors.js';
import type { CopyReport, CopyRequest } from '../domain/maintenance/copy.js';
import type { BackupReport, BackupRequest, DoctorReport, DoctorRequest, RestoreReport, RestoreRequest } from '../domain/maintenance/maintenance.js';
import type { LookupMatch, LookupKind } from '../domain/lookup.js';
import type { Shop } from '../domain/shop.js';
import type { Settings } from '../settings/settings.js';
import type { ServeFlags } from './serve-flags.js';
import type { Guide } from './help/topics.js';

/** A running server. */
export interface RunningServer {
  /** The URL or the path of the socket. */
  readonly address: string;
  /** The address of the board with a new one-time code, which signs in the owner. */
  readonly signInAddress: () => string;
  /** Resolves when the server was stopped and has answered its last request. */
  readonly ended: Promise<void>;
}

/** What a server of the Model Context Protocol works with. */
export interface ToolSession {
  /** Offers the tools that change the shop. */
  readonly write: boolean;
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes messages to standard output, which has nothing else. */
  readonly output: (text: string) => Promise<void>;
  /** Opens the shop for an actor. */
  readonly open: (actor: string) => Promise<Shop>;
  /** What to do next after a refusal. */
  readonly hint: (error: StoreError) => string | undefined;
  /** Writes a line for the person who started the server. */
  readonly note: (line: string) => Promise<void>;
}

/** Backs up, restores, checks and repairs the shop that the settings name. */
export interface Maintenance {
  readonly backup: (settings: Settings, request: BackupRequest) => Promise<BackupReport>;
  readonly restore: (settings: Settings, request: RestoreRequest) => Promise<RestoreReport>;
  readonly doctor: (settings: Settings, request: DoctorRequest) => Promise<DoctorReport>;
}

/** One request to a hook, and how it ended. */
export interface SentEvents {
  readonly hookId: number;
  /** The `webhook-id` of the request. */
  readonly event: string;
  readonly type: string;
  /** The HTTP status of the answer; undefined without one. */
  readonly status: number | undefined;
  /** Why it failed; undefined for one that was received. */
  readonly error: string | undefined;
  /** Whether the hook was paused after it. */
  readonly pauses: boolean;
}

/** A test event, and how it was received. */
export interface HookTest extends Omit<SentEvents, 'type' | 'pauses'> {
  readonly milliseconds: number;
}

/** Sends events to the hooks of the shop that the settings name. */
export interface HookSending {
  /** Sends until a stop signal; with `once` until nothing is due. */
  readonly deliver: (settings: Settings, once: boolean, onSent: (sent: SentEvents) => void) => Promise<void>;
  readonly test: (settings: Settings, hookId: number) => Promise<HookTest>;
}

/** What jq answers: its output and exit code, or the limit at which it was stopped. */
export type JqAnswer = { readonly stdout: string; readonly stderr: string; readonly exitCode: number } | { readonly limit: 'time' | 'memory' };

/** The shells that are completed; data/completion has the script of each. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
/** A shell that is completed. */
export type Shell = (typeof shells)[number];

/** Whether a text names a shell that is completed. */
export function isShell(text: string | undefined): text is Shell {
  return (shells as readonly (string | undefined)[]).includes(text);
}

/** How long an expression may run on one text of JSON. */
export const jqTimeLimitSeconds = 10;

/** jq with one expression. */
export interface JqFilter {
  /** Filters JSON values; the output is compact JSON, one value per line. */
  readonly filter: (json: string) => Promise<JqAnswer>;
  readonly close: () => Promise<void>;
}

/** What program runs, and on what. */
export interface ProgramInfo {
  readonly version: string;
  /** The commit that it was built from, if that is known. */
  readonly commit?: string | undefined;
  readonly node: string;
  readonly sqlite: string;
  /** Operating system and processor, as Node.js names them: "linux-x64". */
  readonly platform: string;
}

/** What the command line needs from the layers above it: opening, creating, copying and serving shops. */
export interface Setup {
  /** Opens the shop that the settings name. */
  readonly open: (settings: Settings) => Promise<Shop>;
  readonly init: (settings: Settings, sample: boolean) => Promise<{ readonly created: boolean; readonly filled: boolean }>;
  readonly copy: (settings: Settings, request: CopyRequest) => Promise<CopyReport>;
  readonly maintenance: Maintenance;
  readonly serve: (settings: Settings, flags: ServeFlags) => Promise<RunningServer>;
  /** Offers the shop to one client of the Model Context Protocol until its input ends. */
  readonly mcp: (session: ToolSession) => Promise<void>;
  readonly hooks: HookSending;
  /** Finds the records that a partly typed word can mean, for completion. Changes nothing and does not wait for locks. */
  readonly lookUp: (settings: Settings, noun: LookupKind, text: string) => Promise<readonly LookupMatch[]>;
  /** The script that a shell runs to complete the words of petstore. */
  readonly completionScript: (shell: Shell) => Promise<string>;
  readonly guide: Guide;
  /** Starts jq with an expression, for --jq. */
  readonly jq: (expression: string) => Promise<JqFilter>;
  /** The OpenAPI document of the operations. */
  readonly openapi: (options: { readonly stableOnly: boolean }) => Promise<unknown>;
  /** What `--version` prints. */
  readonly version: string;
  readonly about: () => Promise<ProgramInfo>;
}
