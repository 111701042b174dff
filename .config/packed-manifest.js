// Reduces package.json to what an installed petstore needs while npm packs it: its other scripts and settings name files
// and packages that the packed file does not hold. With --restore it puts the whole file back.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const manifestPath = fileURLToPath(new URL('../package.json', import.meta.url));
const originalPath = `${manifestPath}.orig`;

// Also when an earlier packing was interrupted.
if (existsSync(originalPath)) renameSync(originalPath, manifestPath);

if (!process.argv.includes('--restore')) {
  const { scripts, devDependencies: _, overrides: __, allowScripts: ___, ...manifest } = JSON.parse(readFileSync(manifestPath, 'utf8'));
  const { postinstall } = scripts;
  // Renamed, the file keeps its time, by which the set-up tells whether to build again.
  renameSync(manifestPath, originalPath);
  writeFileSync(manifestPath, `${JSON.stringify({ ...manifest, scripts: { postinstall } }, null, 2)}\n`);
}
