// Fails the installation when no native addon of better-sqlite3 loads in this Node. Version 13 contains it and needs Node-API
// 10, which Node has from 22.14 on; version 12 downloads or compiles it in its install script.
const { existsSync, readdirSync, readFileSync } = require('node:fs');
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

/** The last answer to npm that has not given it better-sqlite3, from its log. npm leaves optional packages out without a word. */
function failedRequest() {
  const { npm_config_logs_dir: logs, npm_config_cache: cache } = process.env;
  try {
    const folder = logs || path.join(cache, '_logs');
    // The names begin with the time.
    const log = readFileSync(path.join(folder, readdirSync(folder).toSorted().at(-1)), 'utf8');
    const requests = log.matchAll(/ http fetch GET (?:([45]\d\d) )?(\S*better-sqlite3\S*) (?:attempt \d+ failed with (\S+))?/g);
    const failed = [...requests].findLast(([, status, , code]) => status ?? code);
    return failed && { address: failed[2], reason: failed[1] ?? failed[3] };
  } catch {
    return undefined;
  }
}

function hintFor(reason) {
  if (/SELF_SIGNED|ISSUER|LEAF/.test(reason)) {
    return 'npm does not trust the certificate of this registry: run "npm config set cafile <file of its certificate authority>" and install again.';
  }
  return 'Check the network, and the registry and the proxy that "npm config list" shows, and install again.';
}

if (!versions.some(opens)) {
  const failed = versions.every(isInstalled) ? undefined : failedRequest();
  console.error(
    failed === undefined
      ? `error: better-sqlite3 has no compiled part for Node ${process.versions.node}, so petstore could not open a shop.
hint: Let npm run the install script of better-sqlite3, which downloads or compiles it (with a C++ compiler and Python), or use Node 22.14 or later.`
      : `error: npm could not download better-sqlite3, without which petstore cannot open a shop: ${failed.address} failed with ${failed.reason}.
hint: ${hintFor(failed.reason)}`,
  );
  process.exitCode = 1;
}
