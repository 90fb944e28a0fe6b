import { type MouseEvent, startTransition, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { NavigationLink } from '../content/links.ts';
import { Icon } from '../ui/icon.tsx';
import { ServedElement } from '../ui/served-element.tsx';
import { BrandMark } from './brand-mark.tsx';
import styles from './header-menu.module.css';
import { MenuLinks } from './menu-links.tsx';

interface HeaderMenuProps {
  siteName: string;
  links: readonly NavigationLink[];
}

/**
 * The full-screen menu of phones. Before hydration it is a `<details>`. After hydration it is a modal `<dialog>`, which
 * keeps the focus inside, closes on Escape and then restores the focus.
 */
export function HeaderMenu({ siteName, links }: HeaderMenuProps) {
  const detailsRef = useRef<HTMLDetailsElement>(null);
  const dialogRef = useRef<HTMLDialogElement>(null);
  const [mode, setMode] = useState<'plain' | 'dialog' | 'dialog-open'>('plain');
  const { key } = useLocation();

  // A menu that was opened before hydration stays open. In a transition the dialog does not make the hydration a longer task.
  useEffect(() => startTransition(() => setMode(detailsRef.current?.open ? 'dialog-open' : 'dialog')), []);
  useEffect(() => {
    if (mode === 'dialog-open') dialogRef.current?.showModal();
  }, [mode]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new location closes the menu
  useEffect(() => dialogRef.current?.close(), [key]);

  function closeOnLink(event: MouseEvent): void {
    if (event.target instanceof Element && event.target.closest('a')) dialogRef.current?.close();
  }

  if (mode === 'plain') {
    return (
      <details ref={detailsRef} className={styles.root}>
        <summary className={styles.button}>
          <Icon name="menu" />
          Menu
        </summary>
        <ServedElement as="div" source={links} className={styles.panel}>
          <MenuLinks links={links} />
        </ServedElement>
      </details>
    );
  }
  return (
    <div className={styles.root}>
      <button
        type="button"
        className={styles.button}
        aria-haspopup="dialog"
        onClick={() => dialogRef.current?.showModal()}
      >
        <Icon name="menu" />
        Menu
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the handler serves the links inside, and they work by keyboard */}
      <dialog
        ref={dialogRef}
        aria-label="Menu"
        className={styles.dialog}
        data-scroll-area=""
        onClick={closeOnLink}
      >
        <div className={styles.head}>
          <BrandMark name={siteName} />
          <button type="button" className={styles.button} onClick={() => dialogRef.current?.close()}>
            <Icon name="close" />
            Close
          </button>
        </div>
        <MenuLinks links={links} />
      </dialog>
    </div>
  );
}
