// Writes data/reference.md from `petstore commands --json`, and the list of manual pages in package.json; a test checks that both
// are up to date. With --man it writes the manual pages to dist/man instead, with the sections of man-pages(7), as every build does.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sourceModule } from './build-plugins.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const { version, description } = manifest;
const options = { encoding: 'utf8', env: { PATH: process.env.PATH } };
const petstore = (...words) => execFileSync(process.execPath, [`${root}bin/petstore.js`, ...words], options);

const { exitMeanings } = await sourceModule(`export { exitMeanings } from './src/cli/exit-codes.ts';`);
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
const topicLines = (name) => petstore('help', name).trimEnd().split('\n').slice(2);

/** What the commands of a noun are for: the sentence of its help, as the name of its page. */
const about = (noun) => {
  const [, line] = petstore(noun, '--help').split('\n');
  return `${line[0].toLowerCase()}${line.slice(1).replace(/\.$/, '')}`;
};

/** Escapes a text for roff, which takes some characters for instructions, "-" for a hyphen, and its input for Latin-1. */
const roff = (text) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/[^\x20-\x7e\n]/gu, (one) => `\\[u${one.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`)
    .replaceAll(/^([.'])/gm, '\\&$1');
/** A paragraph of a page, in lines of at most 80 characters as mandoc(1) wants them. */
const filled = (text) => roff(text.replaceAll(/(?=.{70}).{1,69} /g, (line) => `${line.trimEnd()}\n`));
const section = (heading, body) => `.SH ${heading}\n${body}`;
const tagged = (term, text) => `.TP\n.B ${roff(term)}\n${filled(text)}\n`;
const verbatim = (lines) => `.nf\n${lines.map((line) => `${roff(line)}\n`).join('')}.fi\n`;

const seeAlso = (names) => section('SEE ALSO', `${names.map((name) => `.BR ${roff(name)} (1)`).join(',\n')}\n`);
/** The day of the build, or of SOURCE_DATE_EPOCH for a reproducible one. */
const today = new Date(Number(process.env.SOURCE_DATE_EPOCH ?? Date.now() / 1000) * 1000).toISOString().slice(0, 10);
const title = (name, purpose) =>
  `.TH ${name.toUpperCase()} 1 "${today}" "petstore ${version}" "petstore manual"\n.SH NAME\n${roff(name)} \\- ${roff(purpose)}\n`;
const usageLine = (entry) => {
  const parts = entry.usage.split(' ').map((word) => (/^[<[]/.test(word) ? `\\fI${roff(word)}\\fR` : `\\fB${roff(word)}\\fR`));
  return [...parts, ...(ownFlags(entry).length > 0 ? ['[\\fIflags\\fR]'] : [])].join(' ');
};
const synopsis = (lines) => section('SYNOPSIS', `.nf\n${lines.join('\n')}\n.fi\n`);

const flagList = (flags) => flags.map((flag) => tagged(flag.spelling, sentence(meaning(flag)))).join('');
const exitStatus = (codes) => section('EXIT STATUS', codes.map((code) => tagged(String(code), sentence(exitMeanings[code]))).join(''));

/** A command in the description of its page: what it does, its other names and its fields. */
function described({ command, summary, aliases, fields }) {
  const names = aliases.length > 0 ? ` Also ${aliases.join(', ')}.` : '';
  const columns = fields.length > 0 ? `.IP\n${filled(`Fields: ${fields.join(', ')}.`)}\n` : '';
  return `${tagged(command, `${sentence(summary)}${names}`)}${columns}`;
}

/** The page of the commands of a noun, such as petstore-inventory(1). */
function nounPage(noun) {
  const own = commandsOf(noun);
  const withFlags = own.filter((entry) => ownFlags(entry).length > 0);
  const codes = [...new Set(own.flatMap(({ exitCodes }) => exitCodes))].toSorted((one, other) => one - other);
  const prompts = '.PP\nAt a terminal, a command asks for the arguments that are missing.\n';
  return [
    title(`petstore-${noun}`, about(noun)),
    synopsis(own.map(usageLine)),
    section('DESCRIPTION', `${own.map(described).join('')}${prompts}`),
    section('OPTIONS', 'The flags of every command are in\n.BR petstore (1).\n'),
    ...withFlags.map((entry) => `.SS ${roff(entry.command)}\n${flagList(ownFlags(entry))}`),
    exitStatus(codes),
    section('EXAMPLES', verbatim(own.flatMap(({ examples }) => examples))),
    seeAlso(['petstore']),
  ].join('');
}

/** The page petstore(1), with chapters of the guide. */
function mainPage() {
  const summaries = commands.map(({ usage, summary }) => tagged(usage, sentence(summary))).join('');
  const start = 'Without arguments at a terminal it shows a menu of common tasks. The commands:';
  const topics = ['environment', 'stores', 'output', 'scripting', 'imports'];
  return [
    title('petstore', description.replace(/\.$/, '')),
    synopsis(['\\fBpetstore\\fR [\\fIcommand\\fR] [\\fIflags\\fR]']),
    section('DESCRIPTION', `${filled(description)}\n${start}\n${summaries}`),
    section('OPTIONS', flagList(globalFlags)),
    exitStatus(Object.keys(exitMeanings)),
    ...topics.map((name) => section(name.toUpperCase(), verbatim(topicLines(name)))),
    section('EXAMPLES', verbatim(['petstore init --sample', 'petstore pet list', 'petstore help topics'])),
    seeAlso(nouns.map((noun) => `petstore-${noun}`)),
  ].join('');
}

if (process.argv.includes('--man')) {
  rmSync(`${root}dist/man`, { recursive: true, force: true });
  mkdirSync(`${root}dist/man`, { recursive: true });
  writeFileSync(`${root}dist/man/petstore.1`, mainPage());
  for (const noun of nouns) writeFileSync(`${root}dist/man/petstore-${noun}.1`, nounPage(noun));
} else if (process.argv.includes('--print')) process.stdout.write(markdown());
else {
  writeFileSync(`${root}data/reference.md`, markdown());
  // npm links just the pages that are named one by one.
  writeFileSync(
    `${root}package.json`,
    `${JSON.stringify({ ...manifest, man: ['petstore', ...nouns.map((noun) => `petstore-${noun}`)].map((name) => `dist/man/${name}.1`) }, null, 2)}\n`,
  );
}
