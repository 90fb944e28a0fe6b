/** The limits of one file: number of addresses, and uncompressed bytes. */
export interface SitemapLimits {
  addresses: number;
  bytes: number;
  /** The addresses in a part of a divided sitemap, a multiple of PAGE_SIZE. */
  partAddresses: number;
}

/** The limits of sitemaps.org. Slugs are bounded, so a part stays far below the limit in bytes. */
export const SITEMAP_LIMITS: SitemapLimits = {
  addresses: 50_000,
  bytes: 50 * 1024 * 1024,
  partAddresses: 10_000,
};
