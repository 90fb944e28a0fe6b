import { SocialLinks } from '../blocks/social-links.tsx';
import type { ContentLink, NavigationLink } from '../content/links.ts';
import { useLabels } from '../labels/labels-context.ts';
import type { Shell } from '../payload/payload.ts';
import { Link } from '../ui/link.tsx';
import { ServedElement } from '../ui/served-element.tsx';
import { ThemeSwitch } from '../ui/theme-switch.tsx';
import { FooterLogo } from './footer-logo.tsx';
import { ShellPartElement } from './shell-part-element.tsx';
import styles from './site-footer.module.css';

function Column({ heading, links }: { heading: NavigationLink | null; links: readonly ContentLink[] }) {
  return (
    <div className={styles.column}>
      {heading ? (
        <p className={styles.heading}>
          <Link href={heading.href} className={styles.link}>
            {heading.title}
          </Link>
        </p>
      ) : null}
      <ul>
        {links.map(link => (
          <li key={`${link.href} ${link.title}`}>
            <Link href={link.href} className={styles.link}>
              {link.title}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface SiteFooterProps {
  shell: Shell | null;
  siteName: string;
}

/** The footer: link columns, social networks, the theme switch, and the site's name across the page. */
export function SiteFooter({ shell, siteName }: SiteFooterProps) {
  return (
    <footer className={`el-band el-no-print ${styles.root}`}>
      <ShellPartElement part="footer" as="div" className="el-frame">
        <FooterContents shell={shell} siteName={siteName} />
      </ShellPartElement>
    </footer>
  );
}

export function FooterContents({ shell, siteName }: SiteFooterProps) {
  const labels = useLabels();
  const links = shell?.footerLinks ?? [];
  const columns = links.filter(link => link.children.length > 0);
  const single = links.filter(link => link.children.length === 0);
  return (
    <>
      {links.length > 0 ? (
        <ServedElement
          as="nav"
          source={shell}
          aria-label={labels.text('footerNavigation')}
          className={styles.columns}
        >
          {columns.map(link => (
            <Column key={`${link.href} ${link.title}`} heading={link} links={link.children} />
          ))}
          {single.length > 0 ? <Column heading={null} links={single} /> : null}
        </ServedElement>
      ) : null}
      <div className={styles.end}>
        <p className={styles.name}>© {siteName}</p>
        <SocialLinks socials={shell?.socials ?? []} label={labels.text('networks')} look="marks" />
        <ThemeSwitch />
      </div>
      <FooterLogo name={siteName} />
    </>
  );
}
