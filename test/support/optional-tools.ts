import { execFileSync } from 'node:child_process';
import type { TestContext } from 'vitest';

/** Why a tool cannot be used on this machine, with the error of a try; undefined if it can. */
export function missingTool(what: string, file: string, args: readonly string[]): string | undefined {
  try {
    execFileSync(file, args, { stdio: 'ignore' });
    return undefined;
  } catch (error) {
    return `${what} is needed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Skips a test if there is a reason, and prints it. */
export function skipWith(reason: string | undefined, context: TestContext): void {
  if (reason === undefined) return;
  console.warn(`${context.task.name}: ${reason}`);
  context.skip(reason);
}
