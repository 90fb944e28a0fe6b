/** `npm run dev`: the server is restarted by each rebuild; when it comes back with another build id the page reloads. */
export function reloadOnRebuild(buildId: string): void {
  const changes = new EventSource('/builds/changes');
  changes.onmessage = ({ data }) => {
    if (data !== buildId) location.reload();
  };
}
