/// <reference types="vite/types/importMeta.d.ts" />
import '@vitejs/plugin-react/preamble';
import { CHANGED } from './names.ts';

/** Shows the changed site in the open page, without a reload if React has taken the page over. */
import.meta.hot?.on(CHANGED, () => {
  if (document.documentElement.dataset.hydrated) window.dispatchEvent(new Event(CHANGED));
  else location.reload();
});
