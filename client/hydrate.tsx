import { type ReactNode, StrictMode, startTransition, useEffect } from 'react';
import { DeviceProvider } from '../shared/device/device-context.tsx';
import { FormStateContext } from '../shared/forms/form-state.ts';
import { LabelsContext } from '../shared/labels/labels-context.ts';
import { ROOT_ID } from '../shared/payload/page-data.ts';
import { RouterProvider } from '../shared/routing/router.ts';
import { loadLabels, readPageData, reportError } from './first-page.ts';
import { routeOnScreen } from './navigation/page-state.ts';
import { createSiteRouter } from './navigation/site-router.tsx';
import { hydrateRoot } from './react-root.ts';
import { watchForNewBuild } from './reloads/new-build.ts';
import { restorePage, startDrafts } from './reloads/persistent-state.ts';
import { startLate, whenIdle } from './when-idle.ts';
// Bundle these small modules here, because most pages use them: separate chunks would cost requests.
import '../shared/labels/count-text.tsx';
import '../shared/ui/accordion.tsx';
import '../shared/ui/content-text.tsx';
import '../shared/ui/picture.tsx';
import '../shared/ui/rich-text/rich-text.tsx';

await hydrate();

async function hydrate(): Promise<void> {
  const root = document.getElementById(ROOT_ID);
  if (!root) return;
  const { payload, builtAt, language, config, deviceClass, formState } = readPageData();
  startDrafts();
  const hydrated = Promise.withResolvers<void>();
  const { preview } = config;
  const buildId = preview?.buildId ?? payload.buildId;
  const ownBuild = { id: buildId, timestamp: builtAt };
  const isBuildWaiting = watchForNewBuild(ownBuild, config.buildPollIntervalMs);
  const labels = await loadLabels(language);
  const router = await createSiteRouter(payload, isBuildWaiting, labels);
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
  // Hydrate in a transition, in slices of 5 ms. Otherwise hydration is one long task.
  startTransition(() => {
    hydrateRoot(root, app, {
      onCaughtError: error => reportError(error, 'render'),
      onUncaughtError: error => reportError(error, 'uncaught'),
      onRecoverableError: error => reportError(error, 'hydration'),
    });
  });
  // Wait for hydration, because the calls below add elements to the document.
  await hydrated.promise;
  // Do not prefetch in a preview, because each payload is loaded from the CMS.
  if (preview) startLate(import('./enhancements/preview.ts'), it => it.startPreview(router, preview));
  else
    startLate(import('./navigation/prefetch.ts'), it =>
      it.startPrefetching(buildId, () => routeOnScreen(router.state)),
    );
  whenIdle(() =>
    startLate(import('./enhancements/idle-work.ts'), it => it.startIdleWork(router, labels, config)),
  );
  if (__DEV__) window.addEventListener('site:changed', () => void router.revalidate());
}

/** Wraps the router, because a sibling of it would change the ids of `useId`. */
function Hydrated({ onHydrated, children }: { onHydrated: () => void; children: ReactNode }): ReactNode {
  useEffect(() => {
    restorePage();
    document.documentElement.dataset.hydrated = 'true';
    onHydrated();
  }, [onHydrated]);
  return children;
}
