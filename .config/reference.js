// Writes data/reference.md from `petstore commands --json`, and the list of manual pages in package.json; a test checks that both
// are up to date. With --man it writes the manual pages to dist/man instead, as every build does.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

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
const meaning = ({ summary, choices, repeated }) =>
  `${summary}${choices && !choices.every((one) => summary.includes(one)) ? ` (${choices.join(', ')})` : ''}${repeated && !/repeated/.test(summary) ? '; may be repeated' : ''}`;

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

/** Escapes a text for man(1), which takes some characters for instructions. */
const roff = (text) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^([.'])/gm, '\\&$1');
const title = (name, about) => `.TH ${name.toUpperCase()} 1 "" "petstore ${version}"\n.SH NAME\n${roff(name)} \\- ${roff(about)}\n`;
const section = (heading, body) => `.SH ${heading}\n${body}`;
const tagged = (term, text) => `.TP\n.B ${roff(term)}\n${roff(text)}\n`;
const verbatim = (text) => `.nf\n${roff(text)}\n.fi\n`;
const taggedFlags = (flags) => flags.map((flag) => tagged(flag.spelling, meaning(flag))).join('');

/** The help topic without its title. */
const topic = (name) => petstore('help', name).split('\n').slice(2).join('\n').trimEnd();

function manOfAll() {
  return [
    title('petstore', description),
    section('SYNOPSIS', '.B petstore\n.I command\n[\\fIflags\\fR]\n'),
    section('COMMANDS', commands.map(({ usage, summary }) => tagged(usage, sentence(summary))).join('')),
    section('FLAGS', taggedFlags(globalFlags)),
    ...['stores', 'output', 'scripting', 'imports', 'environment', 'exit-codes'].map((name) =>
      section(name.toUpperCase().replace('-', ' '), verbatim(topic(name))),
    ),
    section('SEE ALSO', `${nouns.map((noun) => `.BR petstore\\-${roff(noun)} (1)`).join(',\n')}\n`),
  ].join('');
}

function manOf(noun) {
  const own = commandsOf(noun);
  const body = own.map((entry) =>
    [
      `.SS ${roff(entry.usage)}\n${roff(sentence(entry.summary))}\n`,
      taggedFlags(ownFlags(entry)),
      entry.fields.length > 0 ? `.PP\nFields: ${roff(entry.fields.join(', '))}\n` : '',
      `.PP\nExit codes: ${entry.exitCodes.join(', ')}\n.PP\n${verbatim(entry.examples.join('\n'))}`,
    ].join(''),
  );
  const about = own.length === 1 ? own[0].summary : `${own.map(({ command }) => command.slice(noun.length + 1)).join(', ')}`;
  return [title(`petstore-${noun}`, about), section('COMMANDS', body.join('')), section('SEE ALSO', '.BR petstore (1)\n')].join('');
}

if (process.argv.includes('--man')) {
  rmSync(`${root}dist/man`, { recursive: true, force: true });
  mkdirSync(`${root}dist/man`, { recursive: true });
  writeFileSync(`${root}dist/man/petstore.1`, manOfAll());
  for (const noun of nouns) writeFileSync(`${root}dist/man/petstore-${noun}.1`, manOf(noun));
} else if (process.argv.includes('--print')) process.stdout.write(markdown());
else {
  writeFileSync(`${root}data/reference.md`, markdown());
  // npm links just the pages that are named one by one.
  writeFileSync(
    `${root}package.json`,
    `${JSON.stringify({ ...manifest, man: ['petstore', ...nouns.map((noun) => `petstore-${noun}`)].map((name) => `dist/man/${name}.1`) }, null, 2)}\n`,
  );
}
