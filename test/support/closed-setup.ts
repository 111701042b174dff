import { readSettings } from '../../src/settings/settings.js';
import { configStore } from '../../src/settings/config-store.js';
import type { Setup } from '../../src/cli/program-setup.js';

const closed = () => Promise.reject(new Error('Nothing is opened here.'));

/** What commands are built with where none of them runs. */
export const closedSetup: Setup = {
  version: '',
  settings: readSettings,
  configuration: configStore,
  open: closed,
  init: closed,
  copy: closed,
  housekeeping: { backup: closed, restore: closed, doctor: closed },
  serve: closed,
  lookUp: closed,
  completionScript: closed,
  openapi: closed,
};
