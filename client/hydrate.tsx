import { type ReactNode, StrictMode, startTransition, useEffect } from 'react';
import { RouterProvider } from 'react-router-dom';
import { DeviceProvider } from '../shared/device/device-context.tsx';
import { FormStateContext } from '../shared/forms/form-state.ts';
import { LabelsContext } from '../shared/labels/labels-context.ts';
import { ROOT_ID } from '../shared/payload/page-data.ts';
import { loadLabels } from './labels.ts';
import { watchForNewBuild } from './new-build.ts';
import { readPageData } from './page-data.ts';
import { routeOnScreen } from './page-state.ts';
import { restorePage, startDrafts } from './persistent-state.ts';
import { hydrateRoot } from './react-root.ts';
import { reloadOnRebuild } from './reload-on-rebuild.ts';
import { reportError } from './report-error.ts';
import { createSiteRouter } from './site-router.tsx';
import { whenIdle } from './when-idle.ts';
// Most pages need these small modules. In the chunk of this entry they cost no request of their own.
import '../shared/blocks/empty-note.tsx';
import '../shared/blocks/feed-link.tsx';
import '../shared/labels/count-text.tsx';
import '../shared/ui/accordion.tsx';
import '../shared/ui/picture.tsx';
import '../shared/ui/rich-text.tsx';

await hydrate();

async function hydrate(): Promise<void> {
  const root = document.getElementById(ROOT_ID);
  if (!root) return;
  const { payload, builtAt, language, config, deviceClass, formState } = readPageData();
  startDrafts();
  const hydrated = Promise.withResolvers<void>();
  const { preview } = config;
  const buildId = preview?.buildId ?? payload.buildId;
  const newBuild = watchForNewBuild({ id: buildId, timestamp: builtAt }, config.buildPollIntervalMs);
  const labels = await loadLabels(language);
  const router = await createSiteRouter(payload, newBuild, labels);
  const app = (
    <StrictMode>
      <LabelsContext value={labels}>
        <DeviceProvider initialClass={deviceClass} refreshOnResize={config.deviceRefreshOnResize ?? false}>
          <FormStateContext value={formState}>
            <Hydrated onHydrated={hydrated.resolve}>
              <RouterProvider router={router} />
            </Hydrated>
          </FormStateContext>
        </DeviceProvider>
      </LabelsContext>
    </StrictMode>
  );
  // In a transition React hydrates in slices of 5 ms, so that the page stays responsive. Otherwise it is one long task.
  startTransition(() => {
    hydrateRoot(root, app, {
      onCaughtError: error => reportError(error, 'render'),
      onUncaughtError: error => reportError(error, 'uncaught'),
      onRecoverableError: error => reportError(error, 'hydration'),
    });
  });
  // The calls below add elements to the document. React must have hydrated it first.
  await hydrated.promise;
  // Every payload of a preview is loaded from the CMS, so none is prefetched.
  if (preview)
    import('./preview.ts').then(
      it => it.startPreview(router, preview.frameOrigins),
      () => {},
    );
  else
    import('./prefetch.ts').then(
      it => it.startPrefetching(buildId, () => routeOnScreen(router.state)),
      () => {},
    );
  whenIdle(() =>
    import('./idle-work.ts').then(
      it => it.startIdleWork(router, labels, config.consentScripts),
      () => {},
    ),
  );
  if (__DEV__) reloadOnRebuild(buildId);
}

/**
 * Runs after hydration: it restores the page that a reload has left and sets `data-hydrated` on the root element. The component
 * wraps the router. As a sibling of the router it would change the ids of `useId`, and they would differ from the server's.
 */
function Hydrated({ onHydrated, children }: { onHydrated: () => void; children: ReactNode }): ReactNode {
  useEffect(() => {
    restorePage();
    document.documentElement.dataset.hydrated = 'true';
    onHydrated();
  }, [onHydrated]);
  return children;
}
