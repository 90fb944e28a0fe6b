import { formatMessages, type PartialMessage } from 'esbuild';

/** A mistake in the sources that the build was asked to build. Each message names its file where it is known. */
export class BuildError extends Error {
  readonly errors: readonly PartialMessage[];

  constructor(errors: readonly PartialMessage[]) {
    super(errors.map(error => error.text ?? '').join('\n'));
    this.name = 'BuildError';
    this.errors = errors;
  }
}

/**
 * Awaits the parts of a build that run side by side, all of them even when one fails: a developer wants every mistake
 * at once, and a part that is still running must not reach into the next build.
 *
 * @throws BuildError with the mistakes of all parts; anything else that a part threw is rethrown as it is.
 */
export async function allParts<const Parts extends readonly Promise<unknown>[]>(
  parts: Parts,
): Promise<{ -readonly [Index in keyof Parts]: Awaited<Parts[Index]> }> {
  const settled = await Promise.allSettled(parts);
  const failures = settled
    .filter(result => result.status === 'rejected')
    .map(result => result.reason as unknown);
  if (failures.length === 0) return Promise.all(parts);
  const messages = new Map<string, PartialMessage>();
  for (const failure of failures) {
    const errors = errorsOf(failure);
    if (!errors) throw failure;
    // The same stylesheet fails in the browser's bundle and in the server's: it is one mistake.
    for (const error of errors) {
      messages.set(JSON.stringify([error.text, error.location?.file, error.location?.line ?? 0]), error);
    }
  }
  throw new BuildError([...messages.values()]);
}

/** @returns what to print for a failed build: the mistakes with their lines of source, or the stack of a bug. */
export async function describeFailure(failure: unknown): Promise<string> {
  const errors = errorsOf(failure);
  if (!errors) return failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
  const color = process.stderr.isTTY === true;
  return (await formatMessages(errors.map(withoutEmptyLine), { kind: 'error', color })).join('').trimEnd();
}

/** A mistake of a whole file has no line to show. */
function withoutEmptyLine({ text = '', location, ...rest }: PartialMessage): PartialMessage {
  if (!location || location.lineText) return { ...rest, text, location: location ?? null };
  return { text: `${location.file}: ${text}` };
}

/** esbuild's own failures have the same field as {@link BuildError}. */
function errorsOf(failure: unknown): readonly PartialMessage[] | null {
  if (!(failure instanceof Error) || !('errors' in failure) || !Array.isArray(failure.errors)) return null;
  return failure.errors as PartialMessage[];
}
