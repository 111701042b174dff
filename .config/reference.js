// Writes data/reference.md from `petstore commands --json`, and the list of manual pages in package.json; a test checks that both
// are up to date. With --man it writes the manual pages to dist/man instead, as every build does.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sourceModule } from './build-plugins.js';
import { mainPage, nounPage } from './man-pages.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const { version, description } = manifest;
const environment = { PATH: process.env.PATH };
const petstore = (...words) => execFileSync(process.execPath, [`${root}bin/petstore.js`, ...words], { encoding: 'utf8', env: environment });

const commands = JSON.parse(petstore('commands', '--json'));
const nouns = [...new Set(commands.map(({ command }) => command.split(' ')[0]))];
const commandsOf = (noun) => commands.filter(({ command }) => command.split(' ')[0] === noun);
const globalFlags = commands[0].flags.filter((flag) => flag.global);
const ownFlags = ({ flags }) => flags.filter((flag) => !flag.global);
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;
/** The summary of a flag with its choices. */
const meaning = ({ summary, choices, default: byDefault, repeated }) => {
  const isNamed = choices === undefined || choices.every((one) => summary.includes(one));
  const ending = byDefault === undefined ? '' : ` (default: ${byDefault})`;
  const listed = isNamed ? summary : summary.replace(ending, '') + ` (${choices.join(', ')}${byDefault === undefined ? '' : `; default: ${byDefault}`})`;
  return `${listed}${repeated && !/repeated/.test(summary) ? '; may be repeated' : ''}`;
};

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
const spellingOf = ({ spelling }) => `\`${spelling.replace(', ', '`, `')}\``;
const flagTable = (flags) => `| | |\n|---|---|\n${flags.map((flag) => `| ${spellingOf(flag)} | ${cell(meaning(flag))} |\n`).join('')}`;

function commandSection(entry) {
  const { command, usage, summary, aliases, fields, exitCodes, examples, stability } = entry;
  const own = ownFlags(entry);
  return [
    `### petstore ${command}\n`,
    `${sentence(summary)}${stability === 'stable' ? '' : ` This command is ${stability}.`}\n`,
    `\`\`\`sh\n${usage}${own.length > 0 ? ' [flags]' : ''}\n\`\`\`\n`,
    ...(aliases.length > 0 ? [`Also ${aliases.map((words) => `\`${words}\``).join(', ')}.\n`] : []),
    ...(own.length > 0 ? [flagTable(own)] : []),
    ...(fields.length > 0 ? [`Fields: ${fields.map((name) => `\`${name}\``).join(' ')}\n`] : []),
    `Exit codes: ${exitCodes.join(', ')}\n`,
    `\`\`\`sh\n${examples.join('\n')}\n\`\`\`\n`,
  ].join('\n');
}

/** The whole reference in Markdown. */
function markdown() {
  return [
    '# Reference of petstore\n',
    `Every command with its flags, fields and exit codes, as \`petstore commands --json\` has them.\nThe [guide](guide/overview.md) explains how they work together.\n`,
    nouns
      .map(
        (noun) =>
          `- ${commandsOf(noun)
            .map(({ command }) => `[${command}](#petstore-${command.replaceAll(' ', '-')})`)
            .join(', ')}\n`,
      )
      .join(''),
    '## Flags of every command\n',
    flagTable(globalFlags),
    ...nouns.flatMap((noun) => [`## ${noun}\n`, ...commandsOf(noun).map(commandSection)]),
  ].join('\n');
}

/** The lines of a help topic without its title. */
const topic = (name) => ({ name, lines: petstore('help', name).trimEnd().split('\n').slice(2) });

/** What the commands of a noun are for: the sentence of its help, as the name of its page. */
const about = (noun) => {
  const [, line] = petstore(noun, '--help').split('\n');
  return `${line[0].toLowerCase()}${line.slice(1).replace(/\.$/, '')}`;
};

/** The nouns whose pages a page refers to. */
const related = {
  pet: ['category', 'order'],
  category: ['pet'],
  order: ['pet', 'sell'],
  inventory: ['pet', 'report', 'log'],
  backup: ['restore'],
  restore: ['backup'],
};

async function writeManualPages() {
  const { exitMeanings: meanings } = await sourceModule(`export { exitMeanings } from './src/cli/exit-codes.ts';`);
  const topics = ['environment', 'stores', 'output', 'scripting', 'imports'].map(topic);
  const context = { version, description, meanings, meaning, ownFlags, globalFlags, topics };
  rmSync(`${root}dist/man`, { recursive: true, force: true });
  mkdirSync(`${root}dist/man`, { recursive: true });
  writeFileSync(`${root}dist/man/petstore.1`, mainPage(commands, nouns, context));
  for (const noun of nouns) {
    const others = (related[noun] ?? []).map((one) => `petstore-${one}`);
    writeFileSync(`${root}dist/man/petstore-${noun}.1`, nounPage(noun, commandsOf(noun), { about: about(noun), others }, context));
  }
}

if (process.argv.includes('--man')) await writeManualPages();
else if (process.argv.includes('--print')) process.stdout.write(markdown());
else {
  writeFileSync(`${root}data/reference.md`, markdown());
  // npm links just the pages that are named one by one.
  writeFileSync(
    `${root}package.json`,
    `${JSON.stringify({ ...manifest, man: ['petstore', ...nouns.map((noun) => `petstore-${noun}`)].map((name) => `dist/man/${name}.1`) }, null, 2)}\n`,
  );
}
