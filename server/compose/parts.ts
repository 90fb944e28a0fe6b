/** A running part of the site, with timers, connections or files. Returned promises are awaited. */
export interface Part {
  begin?(): unknown;
  /** Stops new work and ends the waits of open requests, because the process is about to end. */
  drain?(): void;
  stop?(): unknown;
  /** Resolves when the part's writes are on disk. */
  settled?(): Promise<unknown>;
}

export async function beginParts(parts: readonly Part[]): Promise<void> {
  for (const part of parts) await part.begin?.();
}

export async function stopParts(parts: readonly Part[]): Promise<void> {
  for (const part of parts.toReversed()) await part.stop?.();
  await settledParts(parts);
}

export async function settledParts(parts: readonly Part[]): Promise<void> {
  await Promise.all(parts.map(part => part.settled?.()));
}
