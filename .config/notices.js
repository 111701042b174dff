// Collects the licences of the bundled packages, which must be part of every copy.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Files of a package that hold its licence or a notice that belongs to it. */
const licenceFile = /^(licen[cs]e|copying|notice)\b/i;
const readmeFile = /^readme\b/i;
/** The section of a README that quotes the whole licence. */
const quotedLicence = /^#+ *licen[cs]e *$(.*permission.*)/ims;

/** The folders of packages, such as `node_modules/pg`, that files of a bundle belong to. */
export function bundledFolders(paths) {
  return [...new Set(paths.flatMap((path) => /^.*(?<=^|\/)node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))].toSorted();
}

/** The MIT licence, our own, in the name of the author of a package that holds no text of it. */
function mitLicence(author) {
  const text = readFileSync(fileURLToPath(new URL('../LICENSE', import.meta.url)), 'utf8');
  return text.replace(/^Copyright .*$/m, `Copyright (c) ${typeof author === 'string' ? author : author.name}`);
}

function licenceTexts(root, folder, { name, license, author }) {
  const files = readdirSync(join(root, folder));
  const read = (file) => readFileSync(join(root, folder, file), 'utf8').trim();
  const texts = files.filter((file) => licenceFile.test(file)).map(read);
  if (texts.length > 0) return texts;
  const readme = files.find((file) => readmeFile.test(file));
  const quoted = readme === undefined ? undefined : quotedLicence.exec(read(readme))?.[1];
  if (quoted !== undefined) return [quoted.trim()];
  if (license === 'MIT' && author !== undefined) return [mitLicence(author)];
  throw new Error(`${name} is bundled, but its package holds no licence text; add the text to .config/notices.js.`);
}

/** The licences of compiled code in a package that holds no text of them. */
const compiledCode = { 'jq-wasm': 'jq-licences.txt' };

function noticeOf(root, folder) {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const { name, version, license } = manifest;
  const texts = licenceTexts(root, folder, manifest);
  if (name in compiledCode) texts.push(readFileSync(new URL(compiledCode[name], import.meta.url), 'utf8'));
  return { title: `${name} ${version} (${license})`, text: texts.join('\n\n') };
}

/** The text of THIRD-PARTY-NOTICES: every package that a file of `paths` belongs to, by name, with its licence. */
export function thirdPartyNotices(root, paths) {
  const notices = bundledFolders(paths)
    .map((folder) => noticeOf(root, folder))
    .toSorted((one, other) => (one.title < other.title ? -1 : 1));
  const rule = '-'.repeat(80);
  const sections = notices.map(({ title, text }) => `${rule}\n${title}\n${rule}\n\n${text.trim()}\n`);
  const introduction = `petstore contains these packages, each under its own licence. Swagger UI contains others again, which
docs/swagger-ui-bundle.js.LICENSE.txt names.
`;
  return [introduction, ...sections].join('\n');
}
