import { type ComponentType, use } from 'react';

/**
 * The server's counterpart of React's `lazy`: it loads the component at once, because nothing should suspend
 * there. A view that came during the first page would link its stylesheet at another place than in later
 * pages.
 */
export function loadedAtOnce<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): ComponentType<Props> {
  let View: ComponentType<Props> | null = null;
  const loaded = load().then(module => {
    View = module.default;
  });
  return props => {
    if (View === null) use(loaded);
    return View && <View {...props} />;
  };
}
