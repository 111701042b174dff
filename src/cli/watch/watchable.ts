import type { Command } from '../command.js';
import { toggle } from '../flags.js';

const watchFlag = toggle({ long: 'watch', summary: 'draw it again at every change, until Ctrl-C' });

/** The same command with the flag --watch. */
export function watchable(command: Command): Command {
  return {
    ...command,
    flags: { ...command.flags, watch: watchFlag },
    run: async (context, words, { watch: isWatched, ...flags }) => {
      if (isWatched !== true) return command.run(context, words, flags);
      const { watch } = await import('./watch.js');
      return watch(context, (frame) => command.run(frame, words, flags));
    },
  };
}
