export type RouteParams = Readonly<Record<string, string>>;

/** `true` for valid parameters, `false` for a 404, or an error with a status, 404 by default. */
export type ValidationResult = boolean | { statusCode?: number; statusMessage?: string; message?: string };

/** The page and the loader of a route. The compiler checks both files in `route-contents.ts`. */
export interface RouteFiles {
  /** The page: a default export with the prop `data`, in a separate chunk. */
  readonly page: () => Promise<object>;
  /** The loader, which browsers lack because the build sets `__BROWSER__` to true. */
  readonly load: () => true | Promise<object>;
}

export interface RouteSettings {
  readonly layout: string;
  /** Whether to animate a navigation to this route if the layout stays. */
  readonly pageTransition: boolean;
  /** Whether to animate a navigation to this route if the layout changes. */
  readonly layoutTransition: boolean;
  /** Whether cover and headline of a card on these pages become those of the page that it opens. */
  readonly cardTransition: boolean;
  /** Names in `site/middleware.ts`, in the order of execution. */
  readonly middleware: readonly string[];
  /** Earlier prefixes of the path. Addresses below them redirect. */
  readonly former?: readonly string[];
  /** The query parameters that change the page. Loaders and caches ignore others. */
  readonly query: readonly string[];
  /** For the doctor: content types that the loader reads, besides those of relations and the parent page. */
  readonly reads: readonly string[];
  /** The placeholder below the title of a late page; by default lines of text. */
  readonly skeleton?: 'article' | 'cards';
  readonly readsDevice: boolean;
  /** Whether middleware reads `from`. Page and payload are then not stored. */
  readonly readsFrom?: boolean;
  /** Whether pages answer visitors' queries. They have a separate cache, and CDNs do not store them. */
  readonly answersQueries?: true;
  /** Whether an e-mail's token opens the pages, which have no scripts and are not stored. */
  readonly opensByToken?: boolean;
  readonly validate?: (params: RouteParams) => ValidationResult;
}

/** The data of a route's page, in the type only: no object has this member. */
declare const DATA: unique symbol;
interface HasData<Data> {
  readonly [DATA]?: Data;
}
export type DataOf<Route> = Route extends HasData<infer Data> ? Data : never;

const DEFAULTS = {
  layout: 'default',
  pageTransition: true,
  layoutTransition: true,
  cardTransition: true,
  middleware: [],
  query: [],
  reads: [],
  readsDevice: false,
} as const satisfies RouteSettings;

export const NOT_ANIMATED = { pageTransition: false, layoutTransition: false } as const;

/** Earlier addresses redirect: `pagesAt('/leistungen', '/business-solutions')`. */
export function pagesAt<const Above extends `/${string}`>(above: Above, ...former: readonly `/${string}`[]) {
  return { path: `${above}/:slug`, former } as const;
}

/** Describes a route. `id` is the name of its folder; `path` is in React Router's notation. */
export function route<Data>() {
  return <
    const Row extends { readonly id: string; readonly path: string } & RouteFiles & Partial<RouteSettings>,
  >(
    row: Row,
  ): Omit<typeof DEFAULTS, keyof Row> & Row & HasData<Data> => ({ ...DEFAULTS, ...row });
}
