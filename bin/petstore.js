#!/usr/bin/env node
require('../dist/start.cjs')
  .start(`${__dirname}/../dist`, require)
  // Everything is written and closed. Without exit() Node would first free its memory.
  .then(() => process.exit());
