const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be accessed',
  EISDIR: 'is a folder',
  EPERM: 'may not be accessed',
  ENOTDIR: 'lies below a file',
  ENOSPC: 'finds no room on the disk',
  ENXIO: 'is a pipe that nobody reads',
  ELOOP: 'is a link that leads back to itself',
  ENAMETOOLONG: 'has too long a name',
};

/** Why a file cannot be read or written, as the end of a sentence. */
export function fileProblem(code: string): string {
  return fileProblems[code] ?? `cannot be used (${code})`;
}
