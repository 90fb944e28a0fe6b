/** True only under `npm run dev`. The build replaces it by a constant. */
declare const __DEV__: boolean;
/** True in bundles for browsers. The build replaces it by a constant, so code for the server alone is not in them. */
declare const __BROWSER__: boolean;
