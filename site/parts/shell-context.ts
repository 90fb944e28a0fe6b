import { createContext } from 'react';
import type { Shell } from '../../shared/payload/shell.ts';

/** The shell's content, for blocks that show a part of it. The layouts provide it. */
export const ShellContext = createContext<Shell | null>(null);
