/** Constants of the product specification (section 9), under its names. Times are in ms. */

/** A page reloads itself at most once per path within this window. */
export const RELOAD_GUARD_WINDOW_MS = 10_000;
/** The build manifest is fetched this long after the page has become idle. */
export const MANIFEST_PREFETCH_DELAY_MS = 1_000;
/** The longest time a navigation waits for the next paint before its route is resolved. */
export const NAVIGATION_DELAY_MS = 100;
/** Columns of countries on the landing page. */
export const COUNTRY_COLUMNS = 3;
/** Device flags are determined again this long after the last resize. */
export const RESIZE_REFRESH_DELAY_MS = 50;
/** Options of scroll areas, under the names of perfect-scrollbar. */
export const SCROLLBAR_SCROLLING_THRESHOLD_MS = 1_000;
export const SCROLLBAR_WHEEL_SPEED = 1;
export const SCROLLBAR_KEY_STEP_PX = 30;
/** Layered ui: the first layer's z-index, and the namespace of its class names. */
export const UI_BASE_Z_INDEX = 2_000;
export const UI_NAMESPACE = 'el';

/** Articles on one page of a category. */
export const ARTICLES_PER_PAGE = 12;
/** The time limit of a render on the server. */
export const RENDER_TIMEOUT_MS = 10_000;
