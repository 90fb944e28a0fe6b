/** True in `npm run dev` alone; the build replaces it by a constant. */
declare const __DEV__: boolean;
