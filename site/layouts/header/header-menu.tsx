import {
  type MouseEvent,
  type ReactNode,
  type SyntheticEvent,
  startTransition,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { NavigationLink } from '../../../shared/content/links.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import type { Shell } from '../../../shared/payload/shell.ts';
import { useLocation } from '../../../shared/routing/router.ts';
import { Icon } from '../../../shared/ui/icon.tsx';
import { nextPaint } from '../../../shared/ui/rendering/next-paint.ts';
import { ServedElement } from '../../../shared/ui/rendering/served-element.tsx';
import { Logo } from '../../parts/logo.tsx';
import styles from './header-menu.module.css';
import { MenuLinks } from './menu-links.tsx';

interface HeaderMenuProps {
  siteName: string;
  logo: Shell['logo'];
  links: readonly NavigationLink[];
  offer: ReactNode;
}

/**
 * The menu of phones: a `<details>` before hydration, then a modal `<dialog>`. It opens after the next paint,
 * because styling every element would delay the answer to a press.
 */
export function HeaderMenu({ siteName, logo, links, offer }: HeaderMenuProps) {
  const labels = useLabels();
  const detailsRef = useRef<HTMLDetailsElement>(null);
  const dialogRef = useRef<HTMLDialogElement>(null);
  const [mode, setMode] = useState<'plain' | 'dialog' | 'dialog-open'>('plain');
  const { key } = useLocation();

  // Keep a menu open that was opened before hydration. A transition keeps hydration a short task.
  useEffect(() => startTransition(() => setMode(detailsRef.current?.open ? 'dialog-open' : 'dialog')), []);
  useEffect(() => {
    if (mode === 'dialog-open') show(dialogRef.current);
  }, [mode]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new location closes the menu
  useEffect(() => dialogRef.current?.close(), [key]);
  useEffect(() => releasePage, []);

  const open = () => void nextPaint().then(() => show(dialogRef.current));
  const close = () => void nextPaint().then(() => dialogRef.current?.close());

  function closeOnLink(event: MouseEvent): void {
    if (event.target instanceof Element && event.target.closest('a')) close();
  }

  function closeOnEscape(event: SyntheticEvent): void {
    event.preventDefault();
    close();
  }

  if (mode === 'plain') {
    return (
      <details ref={detailsRef} className={styles.root}>
        <summary className={styles.button}>
          <Icon name="menu" />
          {labels.text('menu')}
        </summary>
        <ServedElement as="div" source={links} className={styles.panel}>
          <MenuLinks links={links} offer={offer} />
        </ServedElement>
      </details>
    );
  }
  return (
    <div className={styles.root}>
      <button type="button" className={styles.button} aria-haspopup="dialog" onClick={open}>
        <Icon name="menu" />
        {labels.text('menu')}
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the handler serves the links inside, and they work by keyboard */}
      <dialog
        ref={dialogRef}
        aria-label={labels.text('menu')}
        className={styles.dialog}
        data-scroll-area=""
        onClick={closeOnLink}
        onCancel={closeOnEscape}
        onClose={releasePage}
      >
        <div className={styles.head}>
          <Logo name={siteName} logo={logo} />
          <button type="button" className={styles.button} onClick={close}>
            <Icon name="close" />
            {labels.text('closeMenu')}
          </button>
        </div>
        <MenuLinks links={links} offer={offer} />
      </dialog>
    </div>
  );
}

/** Opens the dialog, unless it is already open, and stops the page behind from scrolling. */
function show(dialog: HTMLDialogElement | null): void {
  if (!dialog || dialog.open) return;
  document.documentElement.dataset.behindMenu = '';
  dialog.showModal();
}

function releasePage(): void {
  delete document.documentElement.dataset.behindMenu;
}
