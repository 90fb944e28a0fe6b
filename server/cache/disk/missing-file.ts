/** @returns null for a missing file: another process may remove a file at any time. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isMissingFile(error)) return null;
    throw error;
  }
}

/** ENOTDIR: one of the folders in the path is a file. */
export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
