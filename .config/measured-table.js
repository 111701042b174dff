// For the tests: cli-table3 with the measure of src/formats/text-width.ts, as in the program.
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { ownMeasure } from './build-plugins.js';

const id = '\0cli-table3';

/** For vitest: cli-table3 with the replacement, bundled, because aliases of vitest do not apply to require() in a package. */
export const measuredTable = {
  name: 'measured-table',
  enforce: 'pre',
  resolveId: (source) => (source === 'cli-table3' ? id : undefined),
  load: async (source) => {
    if (source !== id) return undefined;
    const { outputFiles } = await build({
      stdin: { contents: "export { default } from 'cli-table3';", resolveDir: fileURLToPath(new URL('..', import.meta.url)) },
      bundle: true,
      format: 'esm',
      platform: 'node',
      write: false,
      plugins: [ownMeasure],
    });
    return outputFiles[0].text;
  },
};
