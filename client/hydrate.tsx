import { type ReactNode, StrictMode, startTransition, useEffect } from 'react';
import { RouterProvider } from 'react-router-dom';
import { DeviceProvider } from '../shared/device/device-context.tsx';
import { FormStateContext } from '../shared/forms/form-state.ts';
import { ROOT_ID } from '../shared/payload/page-data.ts';
import { watchForNewBuild } from './new-build.ts';
import { readPageData } from './page-data.ts';
import { restoreState } from './persistent-state.ts';
import { startPrefetching, whenIdle } from './prefetch.ts';
import { hydrateRoot } from './react-root.ts';
import { reloadOnRebuild } from './reload-on-rebuild.ts';
import { reportError } from './report-error.ts';
import { startScrollAreas } from './scroll-areas.ts';
import { createSiteRouter } from './site-router.tsx';

await hydrate();

async function hydrate(): Promise<void> {
  const root = document.getElementById(ROOT_ID);
  if (!root) return;
  const { payload, config, deviceClass, formState } = readPageData();
  const alive = Promise.withResolvers<void>();
  const newBuild = watchForNewBuild(payload.buildId, config.buildPollIntervalMs);
  const router = await createSiteRouter(payload, newBuild);
  const app = (
    <StrictMode>
      <DeviceProvider initialClass={deviceClass} refreshOnResize={config.deviceRefreshOnResize}>
        <FormStateContext value={formState}>
          <Alive onAlive={alive.resolve}>
            <RouterProvider router={router} />
          </Alive>
        </FormStateContext>
      </DeviceProvider>
    </StrictMode>
  );
  // In a transition React works in slices of 5 ms, so that the page answers to the finger meanwhile; else in one piece.
  startTransition(() => {
    hydrateRoot(root, app, {
      onCaughtError: error => reportError(error, 'render'),
      onUncaughtError: error => reportError(error, 'uncaught'),
      onRecoverableError: error => reportError(error, 'hydration'),
    });
  });
  // What follows must not stand in the document before React has compared it.
  await alive.promise;
  startPrefetching(payload.buildId);
  whenIdle(startScrollAreas);
  const { consentScripts } = config;
  if (consentScripts)
    whenIdle(() =>
      import('./scripts-consent.tsx').then(
        it => it.askForScripts(consentScripts),
        () => {},
      ),
    );
  if (__DEV__) reloadOnRebuild(payload.buildId);
}

/**
 * Once React has taken over: what a reload kept comes back, and the root element says that the page is alive. Around the
 * router, not beside it: where one child becomes two, React counts its ids (`useId`) otherwise than the server did.
 */
function Alive({ onAlive, children }: { onAlive: () => void; children: ReactNode }): ReactNode {
  useEffect(() => {
    restoreState();
    document.documentElement.dataset.hydrated = 'true';
    onAlive();
  }, [onAlive]);
  return children;
}
