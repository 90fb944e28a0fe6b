/** A module of our own around react-dom puts React into the chunk that all pages share: one large chunk compresses better. */
export { createRoot, hydrateRoot } from 'react-dom/client';
