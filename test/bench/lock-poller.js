// Measures how long a shop is locked: tries to get the write lock every millisecond and sums the time in which it was refused.
// Prints "ready" when it has started, and the result when its standard input ends.
import Database from 'better-sqlite3';

const database = new Database(process.argv[2], { timeout: 0 });
let refusedMs = 0;
let longestMs = 0;
let spell = 0;
let before = performance.now();

function isLocked() {
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch (error) {
    if (error.code !== 'SQLITE_BUSY') throw error;
    return true;
  }
}

function poll() {
  const locked = isLocked();
  const now = performance.now();
  spell = locked ? spell + now - before : 0;
  refusedMs += locked ? now - before : 0;
  longestMs = Math.max(longestMs, spell);
  before = now;
}

const timer = setInterval(poll, 1);
process.stdin.resume().on('end', () => {
  clearInterval(timer);
  database.close();
  process.stdout.write(`${JSON.stringify({ refusedMs, longestMs })}\n`);
});
process.stdout.write('ready\n');
