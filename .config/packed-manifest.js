// Reduces package.json, while npm packs it, to what an installed petstore needs: other scripts and settings name files and
// packages that are not packed; adds what the owner has filled in (.config/release/owner.json). With --restore it restores the original.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const manifestPath = fileURLToPath(new URL('../package.json', import.meta.url));
const originalPath = `${manifestPath}.orig`;

// An interrupted packing leaves the original behind.
if (existsSync(originalPath)) renameSync(originalPath, manifestPath);

if (!process.argv.includes('--restore')) {
  const { scripts, devDependencies: _, overrides: __, allowScripts: ___, ...manifest } = JSON.parse(readFileSync(manifestPath, 'utf8'));
  const { postinstall } = scripts;
  const { maintainer, ...provenance } = JSON.parse(readFileSync(new URL('release/owner.json', import.meta.url), 'utf8'));
  const filledIn = Object.entries({ author: maintainer, ...provenance }).filter(([, value]) => value !== '');
  // Renaming keeps the modification time, by which .config/setup.js decides whether to build again.
  renameSync(manifestPath, originalPath);
  writeFileSync(manifestPath, `${JSON.stringify({ ...manifest, ...Object.fromEntries(filledIn), scripts: { postinstall } }, null, 2)}\n`);
}
