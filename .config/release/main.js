// `npm run release` writes the artefacts of the current commit into dist-release/; with `--check` it proves each of them in a
// clean place afterwards. Words name some of the artefacts or checks, such as `npm run release -- --check deb`.
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { megabytes, sha256Sums } from './archive.js';
import { writeArchives } from './archives.js';
import { checks } from './check/checks.js';
import { writeDeb } from './deb.js';
import { writeImage } from './image.js';
import { names, output, releasedCommit } from './places.js';
import { packProgram } from './program.js';
import { say } from './run.js';
import { writeSbom } from './sbom.js';

const steps = {
  program: (release) => packProgram(release, output),
  archives: writeArchives,
  deb: writeDeb,
  image: writeImage,
  sbom: writeSbom,
};

const words = process.argv.slice(2);
const chosen = words.filter((word) => !word.startsWith('-'));
const isCheck = words.includes('--check');
const known = Object.keys(isCheck ? checks : steps);
const unknown = [...chosen.filter((word) => !known.includes(word)), ...words.filter((word) => word.startsWith('-') && word !== '--check')];
if (unknown.length > 0) {
  say(`error: ${unknown[0]} is unknown; there are ${known.join(', ')}.`);
  process.exit(2);
}
const parts = chosen.length > 0 ? chosen : known;

/** Writes the sums of all artefacts. */
function writeSums() {
  const files = readdirSync(output).filter((name) => name !== names.sums);
  writeFileSync(join(output, names.sums), sha256Sums(output, files));
}

const release = releasedCommit();
if (!release.isClean) say('Uncommitted changes are not part of the release.');
if (!isCheck && chosen.length === 0) rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
if (isCheck) {
  for (const part of parts) {
    say(`Checking ${part} …`);
    await checks[part](release);
  }
  say('Every check has passed.');
} else {
  for (const part of parts) steps[part](release);
  writeSums();
  for (const name of readdirSync(output)) process.stdout.write(`${megabytes(statSync(join(output, name)).size).padStart(9)}  ${name}\n`);
}
