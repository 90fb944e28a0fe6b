/** The limits of one sitemap file: addresses, and bytes without compression. */
export interface SitemapLimits {
  addresses: number;
  bytes: number;
  /** Addresses in a part of a divided sitemap: a multiple of PAGE_SIZE. */
  partAddresses: number;
}

/**
 * The limits of sitemaps.org. A part is made in a fraction of a second, and is far from the limit of bytes: the two slugs of an address have
 * at most 200 characters each.
 */
export const SITEMAP_LIMITS: SitemapLimits = {
  addresses: 50_000,
  bytes: 50 * 1024 * 1024,
  partAddresses: 10_000,
};
