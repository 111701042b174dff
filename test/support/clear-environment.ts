// Each test sets the environment it needs; variables of the shell that runs the tests are removed.
for (const name of ['STORE', 'PROFILE', 'TOKEN', 'ACTOR', 'FORMAT', 'NO_INPUT', 'PAGER', 'UTC']) delete process.env[`PETSTORE_${name}`];
