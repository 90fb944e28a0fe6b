import { locationOf, type RouteContent } from '../../../server/loading/loader.ts';
import { loadPeriod } from '../blog-archive/archive.server.ts';

const content: RouteContent<'blog-archive-year'> = {
  load: context => loadPeriod(context, context.params.year),
  locations: async reader =>
    (await reader.years()).map(({ period }) => locationOf('blog-archive-year', { year: period })),
};

export default content;
