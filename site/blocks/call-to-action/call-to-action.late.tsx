import type { BlockData, BlockProps } from '../../../shared/content/landing.ts';
import { linkButton } from '../../../shared/ui/button.tsx';
import { TitledSection } from '../../parts/titled-section.tsx';
import type { callToAction } from './call-to-action.block.ts';
import styles, { stylesheet } from './call-to-action.late.module.css';

export { stylesheet };

type Props = BlockProps<BlockData<typeof callToAction>>;

export default function CallToAction({ data, id = 'call-to-action' }: Props) {
  const { primary, secondary, ...heading } = data;
  return (
    <TitledSection id={id} {...heading} stylesheet={stylesheet} className={styles.root} isBand>
      {primary || secondary ? (
        <div className={styles.actions}>
          {linkButton(primary)}
          {linkButton(secondary, 'outline')}
        </div>
      ) : null}
    </TitledSection>
  );
}
