import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The folders and files that start processes and take longest, in the order of their longest file. */
const longFolders = ['test/soak/', 'test/e2e/', 'test/docs.test.ts', 'test/board/', 'test/operations/'];

function rankOf({ moduleId }: TestSpecification): number {
  const found = longFolders.findIndex((folder) => moduleId.includes(`/${folder}`));
  return found === -1 ? longFolders.length : found;
}

/** Starts long test files before short ones, so that all workers end at about the same time. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the method of vitest, which returns a new array
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
