#!/usr/bin/env node
require('../dist/start.cjs')
  .start()
  // Everything is written and closed; an open standard input must not keep the process alive.
  .then(() => process.exit());
