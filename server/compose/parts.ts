/** A part of the site that runs: it has timers, connections or files. Promises are awaited. */
export interface Part {
  /** Parts begin in the order of their list. */
  begin?(): unknown;
  /** Begins nothing new, and ends the waits of open requests: the process is about to end. */
  drain?(): void;
  /** Parts end in the opposite order. */
  stop?(): unknown;
  /** Resolves when the part's writes are on disk. */
  settled?(): Promise<unknown>;
}

export async function beginParts(parts: readonly Part[]): Promise<void> {
  for (const part of parts) await part.begin?.();
}

/** Resolves when the parts' writes are on disk. */
export async function stopParts(parts: readonly Part[]): Promise<void> {
  for (const part of parts.toReversed()) await part.stop?.();
  await settledParts(parts);
}

export async function settledParts(parts: readonly Part[]): Promise<void> {
  await Promise.all(parts.map(part => part.settled?.()));
}
