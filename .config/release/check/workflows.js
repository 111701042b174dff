// Checks the workflows of .github/ with actionlint.
import { root } from '../places.js';
import { run, say } from '../run.js';

export function checkWorkflows() {
  run('npm', ['run', '--silent', 'workflows'], { cwd: root });
  say('  actionlint finds nothing in the workflows');
}
