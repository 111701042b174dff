#!/usr/bin/env node
require('../dist/start.cjs').start(`${__dirname}/../dist`, require);
