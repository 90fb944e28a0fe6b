import { use } from 'react';
import { useLabels } from '../labels/labels-context.ts';
import { SectionHeading } from './section-heading.tsx';
import { ShellContext } from './shell-context.ts';
import { SocialLinks } from './social-links.tsx';
import styles from './subscribe-socials-block.module.css';

/** The social networks as a block of the landing page. The subscribe block above the footer shows them, too. */
export function SubscribeSocialsBlock() {
  const labels = useLabels();
  const socials = use(ShellContext)?.subscribeSocials ?? [];
  if (socials.length === 0) return null;
  return (
    <section className="el-section" aria-labelledby="subscribe-socials-title">
      <div className={`el-frame ${styles.root}`}>
        <SectionHeading id="subscribe-socials-title" title={labels.text('followUs')} />
        <SocialLinks socials={socials} label={labels.text('networks')} />
      </div>
    </section>
  );
}
