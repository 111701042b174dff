/** Resolves with the first SIGTERM or SIGINT. A second one exits at once, until `dispose` removes the handlers. */
export function stopSignal(): { readonly signal: Promise<NodeJS.Signals>; readonly dispose: () => void } {
  const names = ['SIGTERM', 'SIGINT'] as const;
  let first: ((signal: NodeJS.Signals) => void) | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (first === undefined) process.exit(1);
    first(signal);
    first = undefined;
  };
  const signal = new Promise<NodeJS.Signals>((resolve) => (first = resolve));
  for (const name of names) process.on(name, onSignal);
  return {
    signal,
    dispose: () => {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
