// Tests say what environment they need: of the shell of whoever runs them no variable reaches a command.
for (const name of ['STORE', 'PROFILE', 'TOKEN', 'ACTOR', 'FORMAT', 'NO_INPUT', 'PAGER']) delete process.env[`PETSTORE_${name}`];
