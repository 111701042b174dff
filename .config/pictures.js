// Draws data/pictures/*.svg: terminal sessions of real commands in a sample shop. Run it after output has changed.
// `--into <folder>` writes them elsewhere, for the test that compares them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import stringWidth from 'string-width';

const root = fileURLToPath(new URL('..', import.meta.url));
const into = process.argv[2] === '--into' ? process.argv[3] : join(root, 'data/pictures');

const pictures = [
  {
    name: 'session',
    title: 'A sample shop, a sale, and a delivery imported and undone',
    prepare: ['init --sample'],
    lines: [
      'pet list --category Fish',
      'order place --pet 3 --quantity 5 --complete --note "paid in cash"',
      'inventory import data/delivery.csv',
      'inventory undo 1',
      'log --pet 3 -L 4 --fields id,kind,order,delta,quantityAfter,note',
    ],
  },
  {
    name: 'report',
    title: 'What moved in a shop, by category',
    prepare: ['init --sample', 'inventory import data/recount.csv', 'inventory import data/delivery.csv'],
    lines: ['report movements'],
  },
];

const columns = 80;
const [cellWidth, lineHeight, fontSize, margin, titleHeight] = [8.4, 19, 14, 18, 34];
const colours = { foreground: '#d4d8e0', background: '#1b1e26', bar: '#2a2e39', 31: '#f07178', 32: '#9bd17b', 33: '#ffcb6b', 36: '#7fdbe6' };

/** The lines of a session as a terminal receives them, with escape sequences. */
function recorded({ prepare, lines }) {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-picture-'));
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PETSTORE_|NO_COLOR|FORCE_COLOR|CLICOLOR|CI$)/.test(name)));
  const env = {
    ...own,
    PETSTORE_CONFIG: devNull,
    PETSTORE_PAGER: '',
    TZ: 'UTC',
    PETSTORE_ACTOR: 'ana',
    PETSTORE_STORE: join(folder, 'shop.db'),
    PETSTORE_FORCE_TTY: String(columns),
    FORCE_COLOR: '1',
  };
  const run = (line) => {
    const words = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
    // A terminal shows both streams.
    const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/petstore.js', ...words], { cwd: root, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`petstore ${line} ended with ${status}:\n${stderr}`);
    return `${stdout}${stderr}`.trimEnd().split('\n');
  };
  try {
    for (const line of prepare) run(line);
    return lines.flatMap((line, index) => [...(index === 0 ? [] : ['']), `\x1b[32m$\x1b[39m \x1b[1mpetstore ${line}\x1b[22m`, ...run(line)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The style after an escape sequence, whose codes apply in order. */
function styleAfter(style, codes) {
  return codes.split(';').reduce((now, code) => {
    if (code === '0' || code === '') return {};
    if (code === '22') return { ...now, bold: false, dim: false };
    if (code === '39') return { ...now, colour: undefined };
    if (code === '1') return { ...now, bold: true };
    if (code === '2') return { ...now, dim: true };
    if (code in colours) return { ...now, colour: code };
    throw new Error(`The picture has no colour for the escape code ${code}.`);
  }, style);
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A text in one style, stretched to the width of its cells, because fonts differ in character width. */
function drawn(text, column, y, { bold, dim, colour }) {
  const classes = [bold && 'b', dim && 'd', colour && `c${colour}`].filter(Boolean).join(' ');
  const length = (stringWidth(text) * cellWidth).toFixed(1);
  const x = (margin + column * cellWidth).toFixed(1);
  return `<text x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${classes && ` class="${classes}"`}>${escaped(text)}</text>`;
}

/** The texts of a line. Two spaces end a text, so each column starts at its own position. */
function lineOf(line, y) {
  const texts = [];
  let [column, style] = [0, {}];
  for (const part of `\x1b[m${line}`.split('\x1b[').slice(1)) {
    const end = part.indexOf('m');
    style = styleAfter(style, part.slice(0, end));
    for (const [piece] of part.slice(end + 1).matchAll(/ {2,}|(?:[^ ]| (?! ))+/g)) {
      const before = piece.length - piece.trimStart().length;
      if (piece.trim() !== '') texts.push(drawn(piece.trim(), column + before, y, style));
      column += stringWidth(piece);
    }
  }
  return texts.join('');
}

function svgOf({ title }, lines) {
  const width = Math.round(2 * margin + columns * cellWidth);
  const height = titleHeight + lines.length * lineHeight + margin;
  const classes = Object.entries(colours).flatMap(([code, colour]) => (/^\d+$/.test(code) ? [`.c${code}{fill:${colour}}`] : []));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>text{font:${fontSize}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${colours.foreground}}.b{font-weight:bold}.d{opacity:.6}${classes.join('')}</style>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${colours.background}"/>`,
    `<path d="M0 8a8 8 0 0 1 8-8h${width - 16}a8 8 0 0 1 8 8v16H0z" fill="${colours.bar}"/>`,
    ...['#f07178', '#ffcb6b', '#9bd17b'].map((fill, index) => `<circle cx="${16 + index * 18}" cy="12" r="5" fill="${fill}"/>`),
    ...lines.map((line, index) => lineOf(line, titleHeight + (index + 0.8) * lineHeight)).filter((line) => line !== ''),
    '</svg>\n',
  ].join('\n');
}

mkdirSync(into, { recursive: true });
for (const picture of pictures) writeFileSync(join(into, `${picture.name}.svg`), svgOf(picture, recorded(picture)));
