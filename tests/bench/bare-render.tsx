// Bundled by `bundle-bare-render.ts`: node bare-render.js page.json renders one page with React alone, for each request

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StrictMode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import {
  createStaticHandler,
  createStaticRouter,
  type StaticHandlerContext,
  StaticRouterProvider,
} from 'react-router-dom';
import { pages } from '../../server/render/pages.ts';
import {
  createAppRoutes,
  type PageComponents,
  ROOT_ROUTE_ID,
  routeElement,
} from '../../shared/app-routes.tsx';
import { DeviceProvider } from '../../shared/device-context.tsx';
import { FormStateContext } from '../../shared/form-state.ts';
import { PAGE_DATA_ID, type PageData, ROOT_ID } from '../../shared/page-data.ts';
import type { RouteId } from '../../shared/routes.ts';
import type { BareAnswer } from './bare-server.ts';

const answer: BareAnswer & { path: string } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const html = Buffer.from(answer.bodyBase64, 'base64').toString();
const { before, after, data } = takeApart(html);
const { dataRoutes } = createStaticHandler(
  createAppRoutes(id => ({ Component: routeElement(pages[id as RouteId] as PageComponents['home']) })),
);
const context = contextOf(data, answer.path);
const router = createStaticRouter(dataRoutes, context);
// The same tree as `server/render/render-page.tsx` makes, but made once.
const tree = (
  <StrictMode>
    <DeviceProvider initialClass={data.deviceClass} refreshOnResize={false}>
      <FormStateContext value={data.formState}>
        <StaticRouterProvider router={router} context={context} hydrate={false} />
      </FormStateContext>
    </DeviceProvider>
  </StrictMode>
);

const server = createServer((_req, res) => {
  const stream = renderToPipeableStream(tree, {
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onAllReady() {
      res.writeHead(answer.status, answer.headers);
      res.write(before);
      // React ends what it is piped into; the rest of the document has to be in before.
      const end = res.end.bind(res);
      res.end = (() => end(after)) as typeof res.end;
      stream.pipe(res);
    },
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});

function takeApart(document: string): { before: string; after: string; data: PageData } {
  const root = `<div id="${ROOT_ID}">`;
  const marker = `</div><script type="application/json" id="${PAGE_DATA_ID}">`;
  const from = document.indexOf(root) + root.length;
  const until = document.lastIndexOf(marker);
  const json = document.slice(until + marker.length, document.indexOf('</script>', until));
  return { before: document.slice(0, from), after: document.slice(until), data: JSON.parse(json) };
}

function contextOf({ payload }: PageData, path: string): StaticHandlerContext {
  const { pathname, search } = new URL(`http://localhost${path}`);
  const root = dataRoutes[0];
  const leaf = root?.children?.find(({ id }) => id === payload.route) as typeof root;
  if (!root || !leaf) throw new Error(`No route '${payload.route}' to render`);
  const match = (route: typeof root, at: string) => ({
    params: { ...payload.params },
    pathname: at,
    pathnameBase: at,
    route,
  });
  return {
    basename: '/',
    location: { pathname, search, hash: '', state: null, key: 'default' },
    matches: [match(root, '/'), match(leaf, pathname)],
    loaderData: { [ROOT_ROUTE_ID]: null, [leaf.id]: payload },
    actionData: null,
    errors: null,
    statusCode: 200,
    loaderHeaders: {},
    actionHeaders: {},
  };
}
