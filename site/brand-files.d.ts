declare module '*/brand/logo.svg' {
  const drawings: import('../shared/brand.ts').LogoDrawings;
  export default drawings;
}
