// Replaces the old string-width of cli-table3, which is slow and wrong for combining marks, by src/formats/text-width.ts.
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** For esbuild: the replacement. */
export const ownMeasure = {
  name: 'own-measure',
  setup(bundle) {
    bundle.onResolve({ filter: /^string-width$/ }, ({ path, importer }) =>
      importer.includes('/cli-table3/') ? { path, namespace: 'own-measure' } : undefined,
    );
    bundle.onLoad({ filter: /.*/, namespace: 'own-measure' }, () => ({
      contents: "module.exports = require('./src/formats/text-width.ts').measure;",
      resolveDir: root,
    }));
  },
};

const id = '\0cli-table3';

/** For vitest: cli-table3 with the replacement, bundled, because aliases of vitest do not apply to require() in a package. */
export const measuredTable = {
  name: 'measured-table',
  enforce: 'pre',
  resolveId: (source) => (source === 'cli-table3' ? id : undefined),
  load: async (source) => {
    if (source !== id) return undefined;
    const { outputFiles } = await build({
      stdin: { contents: "export { default } from 'cli-table3';", resolveDir: root },
      bundle: true,
      format: 'esm',
      platform: 'node',
      write: false,
      plugins: [ownMeasure],
    });
    return outputFiles[0].text;
  },
};
