// Starts a production build: restarts the process with its flags (decision 151), then runs the bundle of
// `main.ts`.

import './ops/process/check-node.ts';
import { withNodeFlags } from './ops/process/memory.ts';

// biome-ignore lint/style/noProcessEnv: The environment is handed on as it is, and not read.
withNodeFlags(import.meta.filename, process.env);
await import(new URL('./site.js', import.meta.url).href);
