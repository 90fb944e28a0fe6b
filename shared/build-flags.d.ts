/** True only under `npm run dev`. The build replaces both names by constants. */
declare const __DEV__: boolean;
/** True in bundles for browsers, which have no code for the server alone. */
declare const __BROWSER__: boolean;
