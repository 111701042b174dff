#!/usr/bin/env node
require('../dist/start.cjs')
  .start(`${__dirname}/../dist`, require)
  // All is written and closed by now; freeing the memory piece by piece would only take time.
  .then(() => process.exit());
