import { readSettings } from '../../src/settings.js';
import type { Setup } from '../../src/cli/groups.js';

const closed = () => Promise.reject(new Error('Nothing is opened here.'));

/** What commands are built with where none of them runs. */
export const closedSetup: Setup = {
  version: '',
  settings: readSettings,
  open: closed,
  init: closed,
  copy: closed,
  serve: closed,
  lookUp: closed,
  completionScript: closed,
  openapi: closed,
};
