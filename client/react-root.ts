/** Puts React into the chunk of all pages, because one large chunk compresses better. */
export { createRoot, hydrateRoot } from 'react-dom/client';
