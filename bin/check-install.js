// Fails the installation when no native addon of better-sqlite3 loads in this Node. Version 13 contains it and needs Node-API
// 10, which Node has from 22.14 on; version 12 downloads or compiles it in its install script.
const versions = Number(process.versions.napi) >= 10 ? ['better-sqlite3-13', 'better-sqlite3'] : ['better-sqlite3'];

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
hint: Let npm run the install script of better-sqlite3, which downloads or compiles it (with a C++ compiler and Python), or use Node 22.14 or later.`);
  process.exitCode = 1;
}
