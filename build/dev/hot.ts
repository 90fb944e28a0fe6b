/// <reference types="vite/types/importMeta.d.ts" />
import '@vitejs/plugin-react/preamble';
import { CHANGED } from './names.ts';

/** The longest wait for the connection, in ms. A proxy may pass no WebSockets. */
const CONNECT_MS = 3_000;

/** Resolves when Vite's connection is open. Vite does not send earlier edits, and reloads late pages. */
export const connected = new Promise<void>(resolve => {
  import.meta.hot?.on('vite:ws:connect', () => resolve());
  setTimeout(resolve, CONNECT_MS);
});

/** Shows the changed site in the open page, without a reload if the page is hydrated. */
import.meta.hot?.on(CHANGED, () => {
  if (document.documentElement.dataset.hydrated) window.dispatchEvent(new Event(CHANGED));
  else location.reload();
});
