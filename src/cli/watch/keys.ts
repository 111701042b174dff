/** The signals of keys, which a terminal in raw mode does not send. */
const signals: Readonly<Record<string, NodeJS.Signals>> = { '\u0003': 'SIGINT', '\u001a': 'SIGTSTP', '\u001c': 'SIGQUIT' };

/** The keyboard while a screen is open. */
export interface Keys {
  /** Gives the terminal back, for example while the process is suspended. */
  readonly stop: () => void;
  readonly start: () => void;
}

/** Calls `quit` when q is typed; keys that send a signal still send it. Does nothing where standard input is no terminal. */
export function listenForQuit(quit: () => void): Keys {
  const { stdin } = process;
  const onKeys = (typed: Buffer): void => {
    for (const key of typed.toString()) {
      const signal = signals[key];
      if (signal !== undefined) process.kill(process.pid, signal);
      else if (key === 'q' || key === 'Q') quit();
    }
  };
  const start = (): void => void stdin.setRawMode(true).on('data', onKeys).resume();
  const stop = (): void => void stdin.setRawMode(false).off('data', onKeys).pause();
  if (!stdin.isTTY) return { start: () => undefined, stop: () => undefined };
  start();
  return { start, stop };
}
