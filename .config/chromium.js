// Starts the Chromium of the npm package, for the tests of the shop board and for its pictures; or the one that PETSTORE_BROWSER names.
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { executableFolder } from './executable-folder.js';

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

/** Creates a folder; whether it belongs to this user, no other one can write to it, and programs can be executed in it. */
function isOwnFolder(folder) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o022) === 0 && executableFolder([folder]) !== undefined;
  } catch {
    return false;
  }
}

/** The folder that Chromium is unpacked in: nobody else can put a program there. */
export function ownFolder() {
  const { XDG_CACHE_HOME, HOME } = process.env;
  const packages = fileURLToPath(new URL('../node_modules', import.meta.url));
  const caches = [XDG_CACHE_HOME, HOME && join(HOME, '.cache'), join(packages, '.cache')].filter(Boolean);
  const folders = caches.map((cache) => join(cache, 'petstore'));
  const folder = folders.find(isOwnFolder);
  if (folder !== undefined) return folder;
  throw new Error(
    `Chromium cannot be unpacked: ${folders.join(', ')}: none is a folder of this user that no other one can write to and where programs can be executed. Set XDG_CACHE_HOME to another folder.`,
  );
}

/** The folder of the unpacked Chromium. The first process that needs it unpacks it, which takes two seconds; each version once. */
async function chromiumFolder() {
  const folder = join(ownFolder(), `chromium-${version}`);
  if (existsSync(folder)) return folder;
  const part = mkdtempSync(`${folder}-`);
  await unpackChromium(part);
  const fonts = join(part, 'fonts/fonts.conf');
  writeFileSync(fonts, readFileSync(fonts, 'utf8').replaceAll('/tmp/', `${folder}/`));
  try {
    renameSync(part, folder);
  } catch {
    // Another process was faster.
    rmSync(part, { recursive: true });
  }
  return folder;
}

/** A sandbox needs rights that a container does not have; the pages are our own. Without hinting, text looks the same on every machine. */
const flags = ['--no-sandbox', '--no-zygote', '--in-process-gpu', '--disable-webgl', '--font-render-hinting=none'];

/** Starts the browser. */
export async function launchChromium() {
  const { chromium } = await import('playwright-core');
  const own = process.env['PETSTORE_BROWSER'];
  if (own !== undefined) return chromium.launch({ executablePath: own });
  const folder = await chromiumFolder();
  const env = { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') };
  return chromium.launch({ executablePath: join(folder, 'chromium'), args: flags, env });
}
