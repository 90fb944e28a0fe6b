/** Through a module of our own, so that React stands in the chunk that every page shares: one large chunk compresses better. */
export { createRoot, hydrateRoot } from 'react-dom/client';
