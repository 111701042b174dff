// cli-table3 brings an old string-width, wrong beside combining marks and slow: here it measures with src/cli/output/text-width.ts.
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** For esbuild: what cli-table3 takes for string-width. */
export const ownMeasure = {
  name: 'own-measure',
  setup(bundle) {
    bundle.onResolve({ filter: /^string-width$/ }, ({ path, importer }) =>
      importer.includes('/cli-table3/') ? { path, namespace: 'own-measure' } : undefined,
    );
    bundle.onLoad({ filter: /.*/, namespace: 'own-measure' }, () => ({
      contents: "module.exports = require('./src/cli/output/text-width.ts').measure;",
      resolveDir: root,
    }));
  },
};

const id = '\0cli-table3';

/** For vitest, whose aliases do not reach the require() calls of a package: cli-table3 bundled as the build does it. */
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
