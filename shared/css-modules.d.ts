/** A CSS module with a separate stylesheet, which only pages with its late view load. */
declare module '*.late.module.css' {
  const classes: Readonly<Record<string, string>>;
  export default classes;
  export const stylesheet: string;
}

declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}
