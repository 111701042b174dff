import * as fc from 'fast-check';
import { seed } from './seeded-random.js';

// Each test sets the environment it needs; variables of the shell that runs the tests are removed.
for (const name of ['STORE', 'PROFILE', 'TOKEN', 'ACTOR', 'FORMAT', 'NO_INPUT', 'PAGER', 'UTC']) delete process.env[`PETSTORE_${name}`];

// `npm test` tries the same random values each time: what fails was changed.
fc.configureGlobal({ seed });
