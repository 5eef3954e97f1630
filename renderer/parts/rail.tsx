/** The buttons of a rail: an icon above its name, and a tooltip with the whole name and the shortcut. */
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useServices } from '../services';
import { ariaShortcut, shortcutLabel } from '../shortcuts';
import styles from './rail.module.css';

interface RailButtonProps extends ComponentProps<'button'> {
  icon: LucideIcon;
  /** The name below the icon. */
  name: string;
  /** The whole name, if the icon's is short. */
  title?: string;
  shortcut?: string | undefined;
}

export function RailButton({ icon: Icon, name, title = name, shortcut, ...props }: RailButtonProps) {
  const { mac } = useServices();
  return (
    <button
      type="button"
      className={styles.item}
      aria-label={title}
      aria-keyshortcuts={shortcut && ariaShortcut(shortcut, mac)}
      title={shortcut ? `${title} (${shortcutLabel(shortcut, mac)})` : title}
      {...props}
    >
      <Icon aria-hidden />
      <span>{name}</span>
    </button>
  );
}
