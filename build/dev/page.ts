import { NONCE } from './names.ts';

// Vite's client reads the nonce when it is loaded, so it must be loaded later.
const nonce = document.createElement('meta');
nonce.setAttribute('property', 'csp-nonce');
nonce.nonce = NONCE;
document.head.append(nonce);

const { connected } = await import('./hot.ts');
await connected;
await import('../../client/hydrate.tsx');
