import { NONCE } from './names.ts';

// Add the nonce before Vite's client is loaded, because the client reads it at once.
const nonce = document.createElement('meta');
nonce.setAttribute('property', 'csp-nonce');
nonce.nonce = NONCE;
document.head.append(nonce);

const { connected } = await import('./hot.ts');
await connected;
await import('../../client/hydrate.tsx');
