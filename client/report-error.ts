/** The greatest length of a message or a stack. The whole report stays below the server's limit of 4 KiB. */
const MAX_TEXT = 1_000;
/** The number of reports of one page. The first few tell the cause; an error in a loop would only repeat it. */
const MAX_REPORTS = 5;

let reports = 0;

/** Sends an error that React or the browser has caught to the server's log. This function never throws and never waits. */
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
