import type { RouteContent } from '../../../server/loading/loader.ts';
import { contentTypes } from '../../../shared/content/content-types.ts';
import { entryContent } from '../../parts/entries.server.ts';

export default entryContent(contentTypes.commerce) satisfies RouteContent<'commerce'>;
