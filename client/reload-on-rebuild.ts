/** Reloads the page under `npm run dev`: each rebuild restarts the server, which then reports another build id. */
export function reloadOnRebuild(buildId: string): void {
  const changes = new EventSource('/builds/changes');
  changes.onmessage = ({ data }) => {
    if (data !== buildId) location.reload();
  };
}
