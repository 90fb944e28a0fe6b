/** Puts React into the chunk that all pages share: one large chunk compresses better. */
export { createRoot, hydrateRoot } from 'react-dom/client';
