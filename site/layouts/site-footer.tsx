import type { ContentLink, NavigationLink } from '../../shared/content/links.ts';
import { useLabels } from '../../shared/labels/labels-context.ts';
import type { Legal, Shell } from '../../shared/payload/shell.ts';
import { Link } from '../../shared/ui/link.tsx';
import { ServedElement } from '../../shared/ui/rendering/served-element.tsx';
import { ShellPartElement } from '../../shared/ui/rendering/shell-part-element.tsx';
import { ThemeSwitch } from '../../shared/ui/theme-switch.tsx';
import { Logo } from '../parts/logo.tsx';
import { SocialLinks } from '../parts/social-links.tsx';
import { Wordmark } from '../parts/wordmark.tsx';
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

function LegalLine({ legal }: { legal: Legal | undefined }) {
  const labels = useLabels();
  if (!legal) return null;
  const { parts, vatId } = legal;
  const all = vatId ? [...parts, labels.text('vatId', { id: vatId })] : parts;
  return (
    <p className={styles.legal}>
      {all.map(part => (
        <bdi key={part}>{part}</bdi>
      ))}
    </p>
  );
}

interface SiteFooterProps {
  shell: Shell | null;
  siteName: string;
}

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
      <LegalLine legal={shell?.legal} />
      <div className={styles.end}>
        <div>{shell?.logo ? <Logo name={siteName} logo={shell.logo} /> : <Wordmark name={siteName} />}</div>
        <div className={styles.tools}>
          {shell?.legal?.parts[0]?.startsWith('©') ? null : <p className={styles.name}>© {siteName}</p>}
          <SocialLinks socials={shell?.socials ?? []} label={labels.text('networks')} look="marks" />
          <ThemeSwitch />
        </div>
      </div>
    </>
  );
}
