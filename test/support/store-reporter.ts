import type { Reporter, TestModule } from 'vitest/node';

/** Prints after a test run how many scenarios passed on each store. */
export default class StoreReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules) {
      for (const one of module.children.allTests()) {
        const home = / \((SQLite|PostgreSQL[\w ]*|[\w ]*server[\w ]*)\)$/.exec(one.name)?.[1];
        if (home !== undefined && one.result().state === 'passed') counts.set(home, (counts.get(home) ?? 0) + 1);
      }
    }
    const told = [...counts].map(([home, count]) => `${count} on ${home}`).join(', ');
    if (told !== '') process.stdout.write(` Scenarios passed: ${told}\n`);
  }
}
