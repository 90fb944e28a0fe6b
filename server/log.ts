import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

export type { Logger } from 'pino';

/**
 * The process's logger: one JSON object a line. What may hold a secret or a person's words never gets here; the
 * redaction below is the second lock, for an error object that carries headers.
 *
 * @param destination where the lines go; standard output unless a test collects them.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: label => ({ level: label }) },
    redact: { paths: ['*.authorization', '*.cookie', 'headers', '*.headers'], remove: true },
    serializers: { err: serializeError },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** An error with its causes, each with its stack: what one needs at three in the morning, and nothing of the request. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  };
}
