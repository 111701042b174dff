import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * What differs between operating systems. The rest of the source asks for the difference and never for the system, so that a
 * test can look at each.
 */
export interface System {
  /** Whether the permissions of files say who may read and write them. Windows has access lists, which Node does not show. */
  readonly hasFileModes: boolean;
  /** Whether a folder can be opened, which flushing it to disk needs. */
  readonly opensFolders: boolean;
  /** The longest path of a Unix socket: the bytes of sun_path without its final NUL (unix(7), unix(4) on macOS). libuv cuts a longer one. Undefined where a server has no Unix socket. */
  readonly socketPathBytes: number | undefined;
  /** Whether one process can send another, or itself, a signal that the receiver handles. */
  readonly sendsSignals: boolean;
  /** Whether bytes written to a terminal are read as UTF-8. A console of Windows needs the stream of Node, which converts them. */
  readonly writesTerminalBytes: boolean;
  /** Whether `setPriority` in a thread is for that thread alone. */
  readonly hasThreadPriorities: boolean;
  /** The program that opens an address in the browser of the user, and its first arguments. */
  readonly opener: readonly [file: string, ...rest: string[]];
  /** What separates the browsers of BROWSER; undefined where a path may contain it. */
  readonly browserSeparator: string | undefined;
  /** The editor of a user who named none. */
  readonly editor: string;
}

const linux: System = {
  hasFileModes: true,
  opensFolders: true,
  socketPathBytes: 107,
  sendsSignals: true,
  writesTerminalBytes: true,
  hasThreadPriorities: true,
  opener: ['xdg-open'],
  browserSeparator: ':',
  editor: 'vi',
};

const others: Readonly<Partial<Record<NodeJS.Platform, Partial<System>>>> = {
  darwin: { socketPathBytes: 103, opener: ['open'] },
  win32: {
    hasFileModes: false,
    opensFolders: false,
    socketPathBytes: undefined,
    sendsSignals: false,
    writesTerminalBytes: false,
    // `start` is a command of the shell, which would interpret the address.
    opener: ['rundll32', 'url.dll,FileProtocolHandler'],
    browserSeparator: undefined,
    editor: 'notepad',
  },
};

/** What is different on an operating system, by the name that Node gives it. */
export function systemOf(name: NodeJS.Platform): System {
  return { ...linux, hasThreadPriorities: name === 'linux', ...others[name] };
}

/** The operating system that this program runs on. */
export const system = systemOf(process.platform);

/**
 * Creates a folder, and those above it that are missing, for its owner alone. One level after the other: where the system has no place
 * for a folder, as in /proc, `recursive` of Node 20 never ends.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  // The root of a drive that is missing has nothing above it.
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if (!existsSync(path)) throw error;
  }
}
