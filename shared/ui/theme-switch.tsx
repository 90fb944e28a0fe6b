import { useSyncExternalStore } from 'react';
import type { PageText } from '../labels/labels.ts';
import { useLabels } from '../labels/labels-context.ts';
import { Icon, type IconName } from './icon.tsx';
import { nextPaint } from './rendering/next-paint.ts';
import styles from './theme-switch.module.css';

/** The key in local storage, which `client/early.ts` also reads. */
export const THEME_STORAGE_KEY = 'site:theme';

type Theme = 'light' | 'dark' | 'system';

const CHOICES: readonly { theme: Theme; icon: IconName; label: PageText }[] = [
  { theme: 'light', icon: 'sun', label: 'light' },
  { theme: 'system', icon: 'system', label: 'systemTheme' },
  { theme: 'dark', icon: 'moon', label: 'dark' },
];

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The choice on this page, which the document may not show yet. */
let chosen: Theme | null = null;

function currentTheme(): Theme {
  const theme = chosen ?? document.documentElement.dataset.theme;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Changes the colours after the next paint, because styling every element is slow on phones. */
function choose(theme: Theme): void {
  chosen = theme;
  for (const listener of listeners) listener();
  void nextPaint().then(() => {
    const { dataset } = document.documentElement;
    if (chosen === 'system') delete dataset.theme;
    else if (chosen) dataset.theme = chosen;
  });
  try {
    if (theme === 'system') localStorage.removeItem(THEME_STORAGE_KEY);
    else localStorage.setItem(THEME_STORAGE_KEY, theme);
  } catch {
    // Without storage, the choice applies to this page only.
  }
}

/** The switch is invisible before hydration but keeps its space. */
export function ThemeSwitch() {
  const labels = useLabels();
  const theme = useSyncExternalStore<Theme | null>(subscribe, currentTheme, () => null);
  return (
    <fieldset className={`${styles.root} ${theme === null ? 'is-waiting' : ''}`}>
      <legend className="el-visually-hidden">{labels.text('colours')}</legend>
      {CHOICES.map(choice => (
        <label key={choice.theme} className={styles.choice} title={labels.text(choice.label)}>
          <input
            type="radio"
            name="theme"
            className={styles.input}
            value={choice.theme}
            checked={theme === choice.theme}
            onChange={() => choose(choice.theme)}
          />
          <Icon name={choice.icon} />
          <span className="el-visually-hidden">{labels.text(choice.label)}</span>
        </label>
      ))}
    </fieldset>
  );
}
