/** True in `npm run dev` alone; the build replaces it by a constant. */
declare const __DEV__: boolean;
/** Whether this is a bundle for browsers: what only the server does is not in it. */
declare const __BROWSER__: boolean;
