import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const root = fileURLToPath(new URL('../..', import.meta.url));
/** The text of a file of the project. */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The pages of the guide. */
export const chapters = readdirSync(join(root, 'data/guide')).map((file) => `data/guide/${file}`);
/** The documents for people who use the program. */
export const documents = ['README.md', ...chapters];
/** README.md and the guide as one text. */
export const everything = documents.map(read).join('\n');
