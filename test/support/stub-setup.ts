import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Setup } from '../../src/cli/program-setup.js';

const rejected = () => Promise.reject(new Error('Nothing is opened here.'));

/** The pages of the guide in data/guide. */
export const guide: Setup['guide'] = {
  chapters: () => readdirSync(new URL('../../data/guide', import.meta.url)).map((file) => basename(file, '.md')),
  read: (chapter) => readFileSync(new URL(`../../data/guide/${chapter}.md`, import.meta.url), 'utf8'),
};

/** A setup for commands that are built but not run. */
export const stubSetup: Setup = {
  version: '',
  about: rejected,
  open: rejected,
  init: rejected,
  copy: rejected,
  maintenance: { backup: rejected, restore: rejected, doctor: rejected },
  serve: rejected,
  mcp: rejected,
  hooks: { deliver: rejected, test: rejected },
  lookUp: rejected,
  guide,
  completionScript: rejected,
  openapi: rejected,
  jq: rejected,
};
