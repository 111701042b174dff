import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The folders whose tests wait for processes that they start, and those whose tests compute; each in the order of their longest file. */
const longFolders = [
  ['test/soak/', 'test/e2e/'],
  ['test/docs.test.ts', 'test/board/', 'test/operations/'],
];

/** Starts long test files before short ones, so that all workers end at about the same time, and files that wait beside files that compute. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the method of vitest, which returns a new array
    const sorted = await super.sort(files);
    const lists = longFolders.map((folders) => folders.flatMap((folder) => sorted.filter(({ moduleId }) => moduleId.includes(`/${folder}`))));
    const long = sorted.flatMap((_, index) => lists.flatMap((list) => list[index] ?? []));
    return [...long, ...sorted.filter((file) => !long.includes(file))];
  }
}
