import { use } from 'react';
import type { BlockProps } from '../../../shared/content/landing.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { SectionHeading } from '../../parts/section-heading.tsx';
import { ShellContext } from '../../parts/shell-context.ts';
import { SocialLinks } from '../../parts/social-links.tsx';
import styles from './subscribe.module.css';

/** Social networks as a block. Not shown as the last block, because the footer below has them, too. */
export default function Subscribe({ isLast }: BlockProps<unknown>) {
  const labels = useLabels();
  const socials = use(ShellContext)?.subscribeSocials ?? [];
  if (socials.length === 0 || isLast) return null;
  return (
    <section className="el-section">
      <div className={`el-frame ${styles.root}`}>
        <SectionHeading id="subscribe-socials-title" title={labels.text('followUs')} />
        <SocialLinks socials={socials} label={labels.text('networks')} />
      </div>
    </section>
  );
}
