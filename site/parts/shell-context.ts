import { createContext } from 'react';
import type { Shell } from '../../shared/payload/shell.ts';

/** The shell's content, provided by layouts for blocks that show a part of it. */
export const ShellContext = createContext<Shell | null>(null);
