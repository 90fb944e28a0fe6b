/** Constants of the product specification (section 9), under the names that it uses. Times are in ms. */

/** The window in which a page reloads itself at most once per path. */
export const RELOAD_GUARD_WINDOW_MS = 10_000;
export const MANIFEST_PREFETCH_DELAY_MS = 1_000;
/** The longest wait of a navigation for the next paint. */
export const NAVIGATION_DELAY_MS = 100;
export const COUNTRY_COLUMNS = 3;
export const RESIZE_REFRESH_DELAY_MS = 50;
export const SCROLLBAR_SCROLLING_THRESHOLD_MS = 1_000;
export const SCROLLBAR_WHEEL_SPEED = 1;
export const SCROLLBAR_KEY_STEP_PX = 30;
/** The z-index of the first layer, and the namespace of its class names. */
export const UI_BASE_Z_INDEX = 2_000;
export const UI_NAMESPACE = 'el';

export const ARTICLES_PER_PAGE = 12;
export const RENDER_TIMEOUT_MS = 10_000;
