const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be accessed: permission denied',
  EISDIR: 'is a folder',
  EPERM: 'cannot be accessed: permission denied',
  ENOTDIR: 'has a parent that is not a folder',
  ENOSPC: 'cannot be written: the disk is full',
  ENXIO: 'is a pipe without a reader',
  ELOOP: 'is a link to itself',
  ENAMETOOLONG: 'has a name that is too long',
};

/** Why a file cannot be read or written, as the end of a sentence after its path; `code` is the error code of Node. */
export function fileProblem(code: string): string {
  return fileProblems[code] ?? `cannot be used (${code})`;
}
