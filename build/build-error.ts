import { formatMessages, type PartialMessage } from 'esbuild';

export class BuildError extends Error {
  readonly errors: readonly PartialMessage[];

  constructor(errors: readonly PartialMessage[]) {
    super(errors.map(error => error.text ?? '').join('\n'));
    this.name = 'BuildError';
    this.errors = errors;
  }
}

/** Awaits all parts to report every mistake. @throws BuildError with the mistakes of all parts. */
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
    // Report a stylesheet once, although it fails in both bundles.
    for (const error of errors) {
      messages.set(JSON.stringify([error.text, error.location?.file, error.location?.line ?? 0]), error);
    }
  }
  throw new BuildError([...messages.values()]);
}

/** Describes a failed build: the mistakes with their source lines, or the stack of a bug. */
export async function describeFailure(failure: unknown): Promise<string> {
  const errors = errorsOf(failure);
  if (!errors) return failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
  const color = process.stderr.isTTY === true;
  return (await formatMessages(errors.map(withoutEmptyLine), { kind: 'error', color })).join('').trimEnd();
}

/** Puts the file into the message if there is no source line: esbuild would print an empty one. */
function withoutEmptyLine({ text = '', location, ...rest }: PartialMessage): PartialMessage {
  if (!location || location.lineText) return { ...rest, text, location: location ?? null };
  return { text: `${location.file}: ${text}` };
}

/** @returns the messages of a BuildError or of esbuild's errors; null for another failure. */
export function errorsOf(failure: unknown): readonly PartialMessage[] | null {
  if (!(failure instanceof Error) || !('errors' in failure) || !Array.isArray(failure.errors)) return null;
  return failure.errors as PartialMessage[];
}
