// Fails the installation when no native addon of better-sqlite3 loads in this Node. Version 13 contains it and needs Node-API
// 10, which Node has from 22.14 on; version 12 downloads or compiles it in its install script.
const { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } = require('node:fs');
const path = require('node:path');

const versions = Number(process.versions.napi) >= 10 ? ['better-sqlite3-13', 'better-sqlite3'] : ['better-sqlite3'];

const opens = (name) => {
  try {
    new (require(name))(':memory:').close();
    return true;
  } catch {
    return false;
  }
};

const isInstalled = (name) => module.paths.some((folder) => existsSync(path.join(folder, name)));

/** The log of this run of npm; empty if there is none. npm leaves optional packages out without a word. */
function npmLog() {
  const { npm_config_logs_dir: logs, npm_config_cache: cache } = process.env;
  try {
    const folder = logs || path.join(cache, '_logs');
    // The names begin with the time.
    return readFileSync(path.join(folder, readdirSync(folder).toSorted().at(-1)), 'utf8');
  } catch {
    return '';
  }
}

/** The last answer to npm that has not given it better-sqlite3. */
function failedRequest(log) {
  const requests = log.matchAll(/ http fetch GET (?:([45]\d\d) )?(\S*better-sqlite3\S*) (?:attempt \d+ failed with (\S+))?/g);
  const failed = [...requests].findLast(([, status, , code]) => status ?? code);
  return failed && { address: failed[2], reason: failed[1] ?? failed[3] };
}

/** How the install script of better-sqlite3 has failed; undefined if npm has not run it. */
function failedScript(log) {
  const [, code, signal] = / info run better-sqlite3@\S+ install \{ code: (\w+), signal: '?(\w+)'? \}/.exec(log) ?? [];
  return code === undefined || code === '0' ? undefined : `with ${code === 'null' ? signal : `exit code ${code}`}`;
}

function hintFor(reason) {
  if (/SELF_SIGNED|ISSUER|LEAF/.test(reason)) {
    return 'npm does not trust the certificate of this registry: run "npm config set cafile <file of its certificate authority>" and install again.';
  }
  return 'Check the network, and the registry and the proxy that "npm config list" shows, and install again.';
}

/** Why better-sqlite3 cannot be used, and what to do. */
function causeOf(log) {
  const request = versions.every(isInstalled) ? undefined : failedRequest(log);
  if (request !== undefined) {
    const error = `npm could not download better-sqlite3, without which petstore cannot open a shop: ${request.address} failed with ${request.reason}.`;
    return { error, hint: hintFor(request.reason) };
  }
  const script = failedScript(log);
  if (script !== undefined) {
    return {
      error: `The install script of better-sqlite3 ended ${script}: it could neither download its compiled part nor compile it.`,
      hint: 'Give it access to the network, or a C++ compiler and Python; or use Node 22.14 or later, or an archive of petstore with its own Node.js, which need neither.',
    };
  }
  return {
    error: `better-sqlite3 has no compiled part for Node ${process.versions.node}, so petstore could not open a shop.`,
    hint: 'Let npm run the install script of better-sqlite3, which downloads or compiles it (with a C++ compiler and Python), or use Node 22.14 or later.',
  };
}

const target = (link) => {
  try {
    return path.resolve(path.dirname(link), readlinkSync(link));
  } catch {
    return '';
  }
};

/** Removes the links that npm has made to this installation: npm removes a refused one without them. */
function removeLinks() {
  const { npm_config_global: isGlobal, npm_config_prefix: prefix } = process.env;
  const own = path.join(__dirname, '..');
  // While npm replaces an earlier installation, that one is beside under a name of this form, and gets its links back.
  if (isGlobal !== 'true' || !prefix || readdirSync(path.dirname(own)).some((name) => name.startsWith('.petstore-'))) return;
  for (const folder of [path.join(prefix, 'bin'), path.join(prefix, 'share/man/man1')]) {
    const links = existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
    for (const link of links) if (target(link).startsWith(`${own}${path.sep}`)) rmSync(link);
  }
}

if (!versions.some(opens)) {
  const { error, hint } = causeOf(npmLog());
  console.error(`error: ${error}\nhint: ${hint}`);
  removeLinks();
  process.exitCode = 1;
}
