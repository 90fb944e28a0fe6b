const waiting = new Set<() => unknown>();

/**
 * Notes a package that no first page needs. The production build calls this function in place of loading the package (`build/late-packages.ts`).
 *
 * @returns a function that returns the package, and loads it the first time.
 */
export function latePackage<T>(load: () => T): () => T {
  let loaded: T | undefined;
  const get = () => {
    waiting.delete(get);
    loaded ??= load();
    return loaded;
  };
  waiting.add(get);
  return get;
}

/** @returns the functions that load those packages that are not loaded. */
export function latePackages(): Iterable<() => unknown> {
  return waiting;
}
