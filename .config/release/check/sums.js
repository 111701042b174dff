// Checks the sums, and the list of parts against the files of the bundles.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { names, output } from '../places.js';
import { build } from '../program.js';
import { run, say } from '../run.js';
import { bundledPackages, idOf } from '../sbom.js';

export function checkSbom() {
  const { components } = JSON.parse(readFileSync(join(output, names.sbom), 'utf8'));
  const listed = new Set(components.map(idOf));
  const notices = readFileSync(join(output, names.notices), 'utf8');
  const held = bundledPackages(build);
  const missing = held.filter((id) => !listed.has(id));
  if (missing.length > 0) throw new Error(`${names.sbom} lacks ${missing.join(', ')}.`);
  const unnoticed = held.filter((id) => !notices.includes(`\n${id.replace(/(?<=.)@/, ' ')} (`));
  if (unnoticed.length > 0) throw new Error(`${names.notices} lacks ${unnoticed.join(', ')}.`);
  say(`  ${held.length} packages have files in the bundles; the list names ${listed.size} parts, and the notices have the licence of each`);
}

export function checkSums() {
  run('sha256sum', ['--check', '--quiet', '--strict', names.sums], { cwd: output });
  say('  the sums hold');
}
