/** True only in `npm run dev`. The build replaces both names by constants. */
declare const __DEV__: boolean;
/** True in bundles for browsers, which omit code of the server. */
declare const __BROWSER__: boolean;
