// The checks of a release by name.
import { checkArchives } from './archives.js';
import { checkDeb } from './deb.js';
import { checkImage } from './image.js';
import { checkReproducible } from './reproducible.js';
import { checkNpm } from './npm.js';
import { checkWorkflows } from './workflows.js';
import { checkSbom, checkSums } from './sums.js';

export const checks = {
  workflows: checkWorkflows,
  sums: checkSums,
  sbom: checkSbom,
  npm: checkNpm,
  archives: checkArchives,
  deb: checkDeb,
  image: checkImage,
  reproducible: checkReproducible,
};
