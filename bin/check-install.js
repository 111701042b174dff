// Fails an installation that could not open a shop file: better-sqlite3 needs a compiled part that loads in this Node.
// Version 13 brings it along and runs on Node 22 and later; version 12 gets it from its own install script.
const versions = Number.parseInt(process.versions.node, 10) >= 22 ? ['better-sqlite3-13', 'better-sqlite3'] : ['better-sqlite3'];

const opens = (name) => {
  try {
    new (require(name))(':memory:').close();
    return true;
  } catch {
    return false;
  }
};

if (!versions.some(opens)) {
  console.error(`error: better-sqlite3 has no compiled part for Node ${process.versions.node}, so petstore could not open a shop.
hint: Let npm run the install script of better-sqlite3, which downloads or compiles it (with a C++ compiler and Python), or use Node 22 or later.`);
  process.exitCode = 1;
}
