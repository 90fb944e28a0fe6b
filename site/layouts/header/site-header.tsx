import { useEffect, useState } from 'react';
import type { Shell } from '../../../shared/payload/shell.ts';
import { ButtonLink } from '../../../shared/ui/button.tsx';
import { Link } from '../../../shared/ui/link.tsx';
import { ShellPartElement } from '../../../shared/ui/rendering/shell-part-element.tsx';
import { Logo } from '../../parts/logo.tsx';
import { HeaderMenu } from './header-menu.tsx';
import { HeaderNavigation } from './header-navigation.tsx';
import { HeaderSearch } from './header-search.tsx';
import styles from './site-header.module.css';

/** `initial`: at the top. `sticky`: compact, while scrolling up. `away`: hidden, while scrolling down. */
type HeaderState = 'initial' | 'sticky' | 'away';

/** The smallest scroll movement that counts, so that the header does not flicker. */
const TOLERANCE_PX = 6;
/** The scroll position from which scrolling down hides the header. */
const HIDE_FROM_PX = 96;

/** Limit for the letters of site name and offer together: more do not fit into a bar 360 px wide. */
const FITS_IN_BAR = 20;

interface HeaderContentsProps {
  siteName: string;
  shell: Shell | null;
}

interface SiteHeaderProps extends HeaderContentsProps {
  /** Whether to use the blog's variant: smaller, with a line below it. */
  quiet?: boolean;
}

export function HeaderContents({ siteName, shell }: HeaderContentsProps) {
  const { logo, headerLinks: links = [], cta } = shell ?? {};
  const offer = cta && (
    <ButtonLink
      href={cta.href}
      className={(siteName + cta.title).length > FITS_IN_BAR ? styles.offer : styles.short}
    >
      {cta.title}
    </ButtonLink>
  );
  return (
    <>
      <Link href="/" className={styles.home}>
        <Logo name={siteName} logo={logo} />
      </Link>
      {links.length > 0 ? <HeaderNavigation links={links} /> : null}
      <HeaderSearch />
      {offer}
      {links.length > 0 ? <HeaderMenu siteName={siteName} logo={logo} links={links} offer={offer} /> : null}
    </>
  );
}

/** The header's space stays reserved, so that the content below never moves. */
export function SiteHeader({ quiet = false, ...contents }: SiteHeaderProps) {
  const state = useHeaderState();
  return (
    <header className={`el-no-print ${styles.root} is-${state} ${quiet ? styles.quiet : ''}`}>
      <div className={styles.bar}>
        <ShellPartElement part="header" as="div" className={`el-frame ${styles.frame}`}>
          <HeaderContents {...contents} />
        </ShellPartElement>
      </div>
    </header>
  );
}

function useHeaderState(): HeaderState {
  const [state, setState] = useState<HeaderState>('initial');
  useEffect(() => {
    let last = window.scrollY;
    let frame = 0;
    function update(): void {
      frame = 0;
      const y = Math.max(0, window.scrollY);
      const moved = y - last;
      if (y <= 4) setState('initial');
      else if (Math.abs(moved) < TOLERANCE_PX) return;
      else if (moved < 0) setState(previous => (previous === 'initial' ? previous : 'sticky'));
      else setState(previous => (y > HIDE_FROM_PX || previous !== 'initial' ? 'away' : previous));
      last = y;
    }
    function onScroll(): void {
      frame ||= requestAnimationFrame(update);
    }
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      window.removeEventListener('scroll', onScroll);
      cancelAnimationFrame(frame);
    };
  }, []);
  return state;
}
