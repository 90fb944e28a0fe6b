import type { NavigationLink } from '../content/links.ts';
import { Link } from '../ui/link.tsx';
import { BrandMark } from './brand-mark.tsx';
import { HeaderMenu } from './header-menu.tsx';
import { HeaderNavigation } from './header-navigation.tsx';
import { HeaderSearch } from './header-search.tsx';
import { ShellPartElement } from './shell-part-element.tsx';
import styles from './site-header.module.css';
import { useHeaderState } from './use-header-state.ts';

interface HeaderContentsProps {
  siteName: string;
  links: readonly NavigationLink[];
}

interface SiteHeaderProps extends HeaderContentsProps {
  /** The blog's variant: smaller, with a line below it. */
  quiet?: boolean;
}

/** The header's contents: the link home, the navigation of wide screens, the search, and the navigation of phones. */
export function HeaderContents({ siteName, links }: HeaderContentsProps) {
  return (
    <>
      <Link href="/" className={styles.home}>
        <BrandMark name={siteName} />
      </Link>
      {links.length > 0 ? <HeaderNavigation links={links} /> : null}
      <HeaderSearch />
      {links.length > 0 ? <HeaderMenu siteName={siteName} links={links} /> : null}
    </>
  );
}

/**
 * The site's header, one element in two states: transparent over the hero at the top of the page, and compact and sticky
 * when the visitor scrolls up. Its space stays reserved, so the content below never moves.
 */
export function SiteHeader({ siteName, links, quiet = false }: SiteHeaderProps) {
  const state = useHeaderState();
  return (
    <header className={`el-no-print ${styles.root} is-${state} ${quiet ? styles.quiet : ''}`}>
      <div className={styles.bar}>
        <ShellPartElement part="header" as="div" className={`el-frame ${styles.frame}`}>
          <HeaderContents siteName={siteName} links={links} />
        </ShellPartElement>
      </div>
    </header>
  );
}
