// node timed.js <file> <program> [argument...]: runs a program and writes its duration in ms to the file.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const [file, program, ...words] = process.argv.slice(2);
const started = process.hrtime.bigint();
const { status } = spawnSync(program, words, { stdio: 'inherit' });
const ms = Number(process.hrtime.bigint() - started) / 1e6;
writeFileSync(file, String(ms));
process.exitCode = status ?? 1;
