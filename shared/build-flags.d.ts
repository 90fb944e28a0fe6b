/** True only under `npm run dev`. The build replaces the name by a constant. */
declare const __DEV__: boolean;
/** True in bundles for browsers. The build replaces the name by a constant, so these bundles have no code for the server alone. */
declare const __BROWSER__: boolean;
