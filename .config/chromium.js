// Starts the Chromium of the npm package, for the tests of the shop board and for its pictures; or the one that PETSTORE_BROWSER names.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { version } = JSON.parse(readFileSync(new URL('../node_modules/@sparticuz/chromium/package.json', import.meta.url), 'utf8'));

/** Unpacks the Chromium of the npm package, with its libraries and fonts, into a folder. */
async function unpackChromium(folder) {
  const before = { ...process.env };
  // Where the package unpacks to; and it unpacks its libraries only in a certain cloud.
  Object.assign(process.env, { TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' });
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    await chromium.executablePath();
  } finally {
    // The package sets variables, such as LD_LIBRARY_PATH, for every child of this process.
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

/** The folder of the unpacked Chromium. The first process that needs it unpacks it, which takes two seconds; each version once. */
async function chromiumFolder() {
  // Beside the packages: who could put another program there could replace those too.
  const cache = join(realpathSync(fileURLToPath(new URL('../node_modules', import.meta.url))), '.cache');
  const folder = join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const part = mkdtempSync(`${folder}-`);
  await unpackChromium(part);
  const fonts = join(part, 'fonts/fonts.conf');
  // Relative to the file, because the packages may be moved or copied with the browser. It has one font, so a cache saves nothing.
  const text = readFileSync(fonts, 'utf8').replace(/<cachedir>.*<\/cachedir>/, '');
  writeFileSync(fonts, text.replace('<dir>/tmp/', '<dir prefix="relative">../'));
  try {
    renameSync(part, folder);
  } catch {
    // Another process was faster.
    rmSync(part, { recursive: true });
  }
  return folder;
}

/**
 * A sandbox needs rights that a container does not have; the pages are our own. Without hinting, text looks the same on every machine.
 * Without a limit each page that is loaded would start a process.
 */
const flags = ['--no-sandbox', '--no-zygote', '--in-process-gpu', '--disable-webgl', '--font-render-hinting=none', '--renderer-process-limit=1'];

/** Starts the browser. */
export async function launchChromium() {
  const { chromium } = await import('playwright-core');
  const own = process.env['PETSTORE_BROWSER'];
  if (own !== undefined) return chromium.launch({ executablePath: own });
  const folder = await chromiumFolder();
  const env = { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') };
  return chromium.launch({ executablePath: join(folder, 'chromium'), args: flags, env });
}
