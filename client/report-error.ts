/** What is sent of an error. Bytes of the JSON stay below the server's limit of 4 KiB. */
const MAX_TEXT = 1_000;
/** Errors of one page: the first few tell the story, a loop would only repeat it. */
const MAX_REPORTS = 5;

let reports = 0;

/** Tells the server's log of an error that React or the browser has caught. It never fails and never waits. */
export function reportError(error: unknown, where: string): void {
  if (reports >= MAX_REPORTS) return;
  reports += 1;
  const { name, message, stack } =
    error instanceof Error ? error : { name: 'Error', message: String(error), stack: '' };
  const report = {
    where,
    name: name.slice(0, 100),
    message: message.slice(0, MAX_TEXT),
    stack: (stack ?? '').slice(0, MAX_TEXT),
    path: location.pathname.slice(0, 500),
  };
  fetch('/client-errors', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(report),
    keepalive: true,
  }).catch(() => {});
}
