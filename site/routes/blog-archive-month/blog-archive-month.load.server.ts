import { locationOf, type RouteContent } from '../../../server/loading/loader.ts';
import { loadPeriod, monthsByYear } from '../blog-archive/archive.server.ts';

const content: RouteContent<'blog-archive-month'> = {
  load: context => loadPeriod(context, context.params.year, context.params.month),
  locations: async reader =>
    (await monthsByYear(reader)).flatMap(({ months }) =>
      months.map(({ period }) => {
        const [year = '', month = ''] = period.split('-');
        return locationOf('blog-archive-month', { year, month });
      }),
    ),
};

export default content;
