// Draws data/pictures: terminal sessions of real commands in a sample shop (*.svg), and the screen Today of the shop board (*.png). Run it
// after output or the board has changed. `--into <folder>` writes the sessions elsewhere, for the test that compares them.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchChromium } from './chromium.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const other = process.argv[2] === '--into' ? process.argv[3] : undefined;
const folder = other ?? join(root, 'data/pictures');
const hours = (count) => new Date(Date.now() + count * 3_600_000).toISOString();

const sessions = [
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

/** The commands before the pictures of the board. */
const boardLines = [
  'init --sample --name "Paws & Fins"',
  'inventory import data/recount.csv',
  'inventory import data/delivery.csv',
  `order place --pet 7 --quantity 3 --ship-date ${hours(-2)}`,
  `order place --pet 4 --ship-date ${hours(0).slice(0, 10)}T23:59:00Z`,
  'sell 3 5',
  'sell 13 4',
  'inventory adjust 7 -1 --note died',
  'sell 17 2',
];

const columns = 80;
const [cellWidth, lineHeight, fontSize, margin, titleHeight] = [8.4, 19, 14, 18, 34];
const colours = { foreground: '#d4d8e0', background: '#1b1e26', bar: '#2a2e39', 31: '#f07178', 32: '#9bd17b', 33: '#ffcb6b', 36: '#7fdbe6' };
const styles = { 1: 'font-weight="bold"', 2: 'opacity=".6"' };

/** Runs work with the environment of a new shop. */
async function withShop(work) {
  const own = mkdtempSync(join(tmpdir(), 'petstore-picture-'));
  try {
    return await work({ PATH: process.env.PATH, PETSTORE_CONFIG: devNull, PETSTORE_ACTOR: 'ana', PETSTORE_STORE: join(own, 'shop.db'), TZ: 'UTC' });
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** The lines that a command writes to a terminal, which shows both streams. */
function run(line, env) {
  const words = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
  const terminal = { ...env, PETSTORE_PAGER: '', PETSTORE_FORCE_TTY: String(columns), FORCE_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/petstore.js', ...words], { cwd: root, env: terminal, encoding: 'utf8' });
  if (status !== 0) throw new Error(`petstore ${line} ended with ${status}:\n${stderr}`);
  return `${stdout}${stderr}`.trimEnd().split('\n');
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The attributes after an escape sequence; 22 and 39 end what the others begin. */
function attributesAfter(attributes, code) {
  const { weight, colour } = attributes;
  if (code in styles) return { weight: styles[code], colour };
  if (code in colours) return { weight, colour: `fill="${colours[code]}"` };
  if (code !== '22' && code !== '39') throw new Error(`The picture has no style for the escape code ${code}.`);
  return code === '22' ? { colour } : { weight };
}

/** A line of a terminal as a text whose parts have the styles of its escape sequences. */
function textOf(line, index) {
  let attributes = {};
  const [plain, ...parts] = line.split('\x1b[');
  const styled = parts.map((part) => {
    const [code, text] = [part.slice(0, part.indexOf('m')), part.slice(part.indexOf('m') + 1)];
    attributes = attributesAfter(attributes, code);
    return text && `<tspan ${Object.values(attributes).filter(Boolean).join(' ')}>${escaped(text)}</tspan>`;
  });
  // A position for each character, because not every font gives all of them the same width.
  const positions = Array.from({ length: columns }, (_, column) => (margin + column * cellWidth).toFixed(1));
  return `<text xml:space="preserve" x="${positions.join(' ')}" y="${titleHeight + (index + 0.8) * lineHeight}">${escaped(plain)}${styled.join('')}</text>`;
}

/** Draws a session. */
async function drawSession({ name, title, prepare, lines: commands }) {
  const lines = await withShop((env) => {
    for (const line of prepare) run(line, env);
    return commands.flatMap((line, index) => [...(index === 0 ? [] : ['']), `\x1b[32m$\x1b[39m \x1b[1mpetstore ${line}\x1b[22m`, ...run(line, env)]);
  });
  const width = Math.round(2 * margin + columns * cellWidth);
  const height = titleHeight + lines.length * lineHeight + margin;
  const font = `${fontSize}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace`;
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>text{font:${font};fill:${colours.foreground}}</style>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${colours.background}"/>`,
    `<path d="M0 8a8 8 0 0 1 8-8h${width - 16}a8 8 0 0 1 8 8v16H0z" fill="${colours.bar}"/>`,
    ...[31, 33, 32].map((code, index) => `<circle cx="${16 + index * 18}" cy="12" r="5" fill="${colours[code]}"/>`),
    ...lines.map(textOf),
    '</svg>\n',
  ];
  writeFileSync(join(folder, `${name}.svg`), svg.join('\n'));
}

/** Draws the board in a light and in a dark browser. */
async function drawBoard(env) {
  for (const line of boardLines) run(line, env);
  const server = spawn(process.execPath, ['bin/petstore.js', 'serve', '--port', '0'], { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const address = await new Promise((resolve) => server.stdout.once('data', (text) => resolve(String(text).trim())));
  try {
    const browser = await launchChromium();
    for (const colorScheme of ['light', 'dark']) {
      const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 760 }, timezoneId: 'UTC', locale: 'en-GB', reducedMotion: 'reduce' });
      await page.goto(`${address}/board/`);
      await page.getByText('Live', { exact: true }).waitFor();
      await page.locator('.waiting').first().waitFor({ state: 'detached' });
      await page.screenshot({ path: join(folder, `board-${colorScheme}.png`) });
    }
    await browser.close();
  } finally {
    server.kill();
  }
}

mkdirSync(folder, { recursive: true });
for (const session of sessions) await drawSession(session);
if (other === undefined) await withShop(drawBoard);
