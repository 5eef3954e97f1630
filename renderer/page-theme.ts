/** Light or dark, by the person's setting, else by the system's. */
import { useEffect, useSyncExternalStore } from 'react';
import type { Theme } from '../electron/contract/appearance';
import { useSettings } from './bridge-queries';

const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)');

function followSystem(changed: () => void): () => void {
  const query = systemIsDark();
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/** Whether the page is dark now, for what CSS does not draw. */
export function useDark(): boolean {
  const system = useSyncExternalStore(followSystem, () => systemIsDark().matches);
  const theme: Theme = useSettings().data?.theme ?? 'system';
  return theme === 'system' ? system : theme === 'dark';
}

/** Keeps the page's `data-theme`, which the CSS follows, at the person's setting. */
export function usePageTheme(): void {
  const theme = useSettings().data?.theme ?? 'system';
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
}
