// The checks of a release by name.
import { checkArchives } from './archives.js';

export const checks = { archives: checkArchives };
