// The manual pages, with the sections of man-pages(7), from the commands as `petstore commands --json` lists them.

/** Escapes a text for roff, which takes some characters for instructions, "-" for a hyphen, and its input for Latin-1. */
const roff = (text) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/[^\x20-\x7e\n]/gu, (one) => `\\[u${one.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`)
    .replaceAll(/^([.'])/gm, '\\&$1');
/** A paragraph of a page, in lines of at most 80 characters as mandoc(1) wants them. */
const filled = (text) => roff(text.replaceAll(/(?=.{70}).{1,69} /g, (line) => `${line.trimEnd()}\n`));
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;
const section = (heading, body) => (body === '' ? '' : `.SH ${heading}\n${body}`);
const tagged = (term, text) => `.TP\n.B ${roff(term)}\n${filled(text)}\n`;
const verbatim = (lines) => `.nf\n${lines.map((line) => `${roff(line)}\n`).join('')}.fi\n`;
const unique = (values) => [...new Set(values)];

/** The last lines of every page; `related` are names of pages. */
const seeAlso = (related) => section('SEE ALSO', `${related.map((name) => `.BR ${roff(name)} (1)`).join(',\n')}\n`);
/** The day of the build, or of SOURCE_DATE_EPOCH for a reproducible one. */
const today = new Date(Number(process.env.SOURCE_DATE_EPOCH ?? Date.now() / 1000) * 1000).toISOString().slice(0, 10);
const title = (name, version, about) =>
  `.TH ${name.toUpperCase()} 1 "${today}" "petstore ${version}" "petstore manual"\n.SH NAME\n${roff(name)} \\- ${roff(about)}\n`;
const usageLine = ({ usage }, flags) => {
  const [name, ...words] = usage.split(' ');
  const parts = words.map((word) => (/^[<[]/.test(word) ? `\\fI${roff(word)}\\fR` : `\\fB${roff(word)}\\fR`));
  return [`\\fB${name}\\fR`, ...parts, ...(flags ? ['[\\fIflags\\fR]'] : [])].join(' ');
};
const synopsis = (lines) => section('SYNOPSIS', `.nf\n${lines.join('\n')}\n.fi\n`);

function exitStatus(codes, meanings) {
  return section('EXIT STATUS', codes.map((code) => tagged(String(code), sentence(meanings[code]))).join(''));
}

/** A command in the description of its page: what it does, its other names and its fields. */
function described({ command, summary, aliases, fields }) {
  const names = aliases.length > 0 ? ` Also ${aliases.join(', ')}.` : '';
  const columns = fields.length > 0 ? `.IP\n${filled(`Fields: ${fields.join(', ')}.`)}\n` : '';
  return `${tagged(command, `${sentence(summary)}${names}`)}${columns}`;
}

/** The own flags of commands, each once, with the commands that take it unless all of them do. */
function options(commands, { meaning, ownFlags, noun }) {
  const takers = new Map();
  for (const entry of commands) {
    for (const flag of ownFlags(entry)) {
      const text = `${flag.spelling}\n${meaning(flag)}`;
      takers.set(text, { flag, names: [...(takers.get(text)?.names ?? []), entry.command.slice(noun.length + 1)] });
    }
  }
  const paragraphs = [...takers.values()].map(({ flag, names }) => {
    const of = names.length === commands.length ? '' : ` With ${names.join(', ')}.`;
    return tagged(flag.spelling, `${sentence(meaning(flag))}${of}`);
  });
  return section('OPTIONS', `${paragraphs.join('')}${paragraphs.length > 0 ? '.PP\n' : ''}The flags of every command are in\n.BR petstore (1).\n`);
}

/** The page of the commands of a noun, such as petstore-inventory(1). */
export function nounPage(noun, commands, { about, others }, context) {
  const { version, meanings, ownFlags } = context;
  const codes = unique(commands.flatMap(({ exitCodes }) => exitCodes)).toSorted((one, other) => one - other);
  const prompts = '.PP\nAt a terminal, a command asks for the arguments that are missing.\n';
  return [
    title(`petstore-${noun}`, version, about),
    synopsis(commands.map((entry) => usageLine(entry, ownFlags(entry).length > 0))),
    section('DESCRIPTION', `${commands.map(described).join('')}${prompts}`),
    options(commands, { ...context, noun }),
    exitStatus(codes, meanings),
    section('EXAMPLES', verbatim(commands.flatMap(({ examples }) => examples))),
    seeAlso(['petstore', ...others]),
  ].join('');
}

/** The page petstore(1); `topics` are chapters of the guide with their lines. */
export function mainPage(commands, nouns, { version, description, meanings, meaning, globalFlags, topics }) {
  const summaries = commands.map(({ usage, summary }) => tagged(usage, sentence(summary))).join('');
  const start = 'Without arguments at a terminal it shows a menu of common tasks. The commands:';
  return [
    title('petstore', version, description.replace(/\.$/, '')),
    synopsis(['\\fBpetstore\\fR [\\fIcommand\\fR] [\\fIflags\\fR]']),
    section('DESCRIPTION', `${filled(description)}\n${start}\n${summaries}`),
    section('OPTIONS', globalFlags.map((flag) => tagged(flag.spelling, sentence(meaning(flag)))).join('')),
    exitStatus(Object.keys(meanings).map(Number), meanings),
    ...topics.map(({ name, lines }) => section(name.toUpperCase(), verbatim(lines))),
    section('EXAMPLES', verbatim(['petstore init --sample', 'petstore pet list', 'petstore help topics'])),
    seeAlso(nouns.map((noun) => `petstore-${noun}`)),
  ].join('');
}
