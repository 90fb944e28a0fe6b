import type { IncomingMessage, ServerResponse } from 'node:http';

type HeaderMiddleware = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;

/** @returns the headers that a middleware of helmet sets, by running it against a response that only collects them. */
export function collectHeaders(middleware: HeaderMiddleware): Record<string, string> {
  const collected: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => {
      collected[name] = value;
    },
    removeHeader: () => {},
  };
  middleware({} as IncomingMessage, response as unknown as ServerResponse, error => {
    if (error) throw error;
  });
  return collected;
}
