import path from 'node:path';
import { projectRoot } from '../output-files.ts';

/** The Strapi project. */
export const cmsFolder = path.join(projectRoot, 'cms');
