// Bundles the program into dist/, split so that a command loads only what it needs.
import { build } from 'esbuild';
import { readFileSync, rmSync } from 'node:fs';

const root = new URL('..', import.meta.url).pathname;
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

rmSync(`${root}dist`, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  define: { PETSTORE_VERSION: JSON.stringify(version) },
  // CommonJS packages in the bundle ask for Node's own modules with require().
  banner: { js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);" },
  legalComments: 'linked',
  logLevel: 'warning',
});
