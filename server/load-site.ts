// Starts a production build: restarts the process with its flags (decision 151), then runs the bundle of
// `main.ts`.

import './ops/process/check-node.ts';
import { enableCompileCache } from 'node:module';
import { compileCache } from './ops/process/built-results.ts';
import { withNodeFlags } from './ops/process/memory.ts';

// biome-ignore lint/style/noProcessEnv: The environment is handed on as it is, and not read.
withNodeFlags(import.meta.filename, process.env);
enableCompileCache(compileCache(import.meta.dirname));
await import(new URL('./site.js', import.meta.url).href);
