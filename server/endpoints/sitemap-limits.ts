/** The limits of one file: addresses, and bytes without compression. */
export interface SitemapLimits {
  addresses: number;
  bytes: number;
  /** Addresses in a part of a divided sitemap: a multiple of PAGE_SIZE. */
  partAddresses: number;
}

/** The limits of sitemaps.org. A part stays far below the bytes, because slugs are bounded. */
export const SITEMAP_LIMITS: SitemapLimits = {
  addresses: 50_000,
  bytes: 50 * 1024 * 1024,
  partAddresses: 10_000,
};
