import { StrictMode } from 'react';
import { type PipeableStream, renderToPipeableStream } from 'react-dom/server';
import {
  createAppRoutes,
  type PageComponent,
  type PageComponents,
  ROOT_ROUTE_ID,
  routeElement,
  UNMATCHED_ROUTE_ID,
} from '../../shared/app-routes.tsx';
import { DeviceProvider } from '../../shared/device/device-context.tsx';
import { FormStateContext } from '../../shared/forms/form-state.ts';
import type { Labels } from '../../shared/labels/labels.ts';
import { LabelsContext } from '../../shared/labels/labels-context.ts';
import type { PageData } from '../../shared/payload/page-data.ts';
import type { PagePayload } from '../../shared/payload/payload.ts';
import {
  createStaticHandler,
  createStaticRouter,
  type StaticHandlerContext,
  StaticRouterProvider,
} from '../../shared/routing/router.ts';
import type { RouteId } from '../../shared/routing/routes.ts';
import { type ShellHtml, StaticRenderContext } from '../../shared/ui/rendering/shell-part-element.tsx';
import RichNodes from '../../shared/ui/rich-text/rich-nodes.tsx';
import { RichNodesContext } from '../../shared/ui/rich-text/rich-text.tsx';
import { addressOf, type HtmlRequest, urlOf } from './html-request.ts';
import { createShellRenderer } from './shell-html.tsx';

interface TreeInput extends Pick<PageData, 'payload' | 'deviceClass' | 'formState'> {
  url: string;
  labels: Labels;
}

interface RenderLimits {
  signal: AbortSignal;
  timeoutMs: number;
  /** Receives errors after the page is ready. Earlier errors reject the promise. */
  onError(error: unknown): void;
}

export type RenderPage = (html: HtmlRequest, limits: RenderLimits) => Promise<PipeableStream>;

export function createPageTree(pages: PageComponents) {
  const { dataRoutes } = createStaticHandler(createAppRoutes(id => ({ Component: elementOf(pages, id) })));

  /** @param shell rendered HTML; null renders the shell in the tree, as browsers do. */
  return ({ payload, url, deviceClass, formState, labels }: TreeInput, shell: ShellHtml | null) => {
    const context = staticContext(dataRoutes, payload, url);
    const router = createStaticRouter(dataRoutes, context);
    return (
      <StrictMode>
        <LabelsContext value={labels}>
          <RichNodesContext value={RichNodes}>
            <DeviceProvider initialClass={deviceClass} refreshOnResize={false}>
              <FormStateContext value={formState}>
                <StaticRenderContext value={shell}>
                  <StaticRouterProvider router={router} context={context} hydrate={false} />
                </StaticRenderContext>
              </FormStateContext>
            </DeviceProvider>
          </RichNodesContext>
        </LabelsContext>
      </StrictMode>
    );
  };
}

/**
 * @returns a function that renders a page. It resolves when the complete page can be piped. It rejects with
 *   the first error, the signal's reason, or a TimeoutError.
 */
export function createPageRenderer(pages: PageComponents): RenderPage {
  const treeOf = createPageTree(pages);
  const shellHtml = createShellRenderer();

  return async (html, { signal, timeoutMs, onError }) => {
    const { page, request, deviceClass } = html;
    const { payload, language } = page;
    const url = addressOf(html);
    const shell = await shellHtml(page, urlOf(url).pathname);
    const formState = request?.formState ?? null;
    const element = treeOf({ payload, url, deviceClass, formState, labels: language.labels }, shell);
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      let failed: { error: unknown } | null = null;
      const endWait = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
      };
      const stream = renderToPipeableStream(element, {
        // Keep large boundaries in place. React moves them with inline scripts, which the policy forbids.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onAllReady() {
          endWait();
          if (failed) reject(failed.error);
          else resolve(stream);
        },
        onShellError(error) {
          endWait();
          reject(error);
        },
        onError(error) {
          failed ??= { error };
          if (!signal.aborted) onError(error);
        },
      });
      const giveUp = () => stream.abort(signal.reason);
      const timer = setTimeout(
        () =>
          stream.abort(new DOMException(`The page was not rendered within ${timeoutMs} ms`, 'TimeoutError')),
        timeoutMs,
      );
      signal.addEventListener('abort', giveUp, { once: true });
    });
  };
}

/** The cast is safe: `PageComponents` pairs each id with its component. */
function elementOf(pages: PageComponents, id: RouteId) {
  return routeElement(pages[id] as PageComponent<RouteId>);
}

type DataRoute = StaticHandlerContext['matches'][number]['route'];

/** Builds React Router's context for a loaded route, with the payload as its data. */
function staticContext(routes: DataRoute[], payload: PagePayload, url: string): StaticHandlerContext {
  const location = urlOf(url);
  const root = routes[0];
  // Read the id of a nested route, which the type declares for the first level only.
  const leaf = root?.children?.find(route => route.id === (payload.route ?? UNMATCHED_ROUTE_ID)) as
    | DataRoute
    | undefined;
  if (!root || !leaf) throw new Error(`No route '${payload.route}' to render`);
  const match = (route: DataRoute, pathname: string) => ({
    params: { ...payload.params },
    pathname,
    pathnameBase: pathname,
    route,
  });
  return {
    basename: '/',
    location: { pathname: location.pathname, search: location.search, hash: '', state: null, key: 'default' },
    matches: [match(root, '/'), match(leaf, location.pathname)],
    loaderData: { [ROOT_ROUTE_ID]: null, [leaf.id]: payload },
    actionData: null,
    errors: null,
    statusCode: 200,
    loaderHeaders: {},
    actionHeaders: {},
  };
}
