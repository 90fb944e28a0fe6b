import { serviceJsonLd } from '../../../server/loading/json-ld.ts';
import { contentTypes } from '../../../shared/content/content-types.ts';
import { entryContent } from '../../parts/entries.server.ts';

export default entryContent(contentTypes.commerce, serviceJsonLd);
