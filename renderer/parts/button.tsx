/** Buttons: with words, or with an icon whose words are its name and tooltip. Shortcuts show in the tooltip. */
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Button as AriaButton,
  type ButtonProps as AriaProps,
  Tooltip,
  TooltipTrigger,
} from 'react-aria-components';
import { useServices } from '../services';
import { shortcutLabel } from '../shortcuts';
import styles from './button.module.css';

type Kind = 'plain' | 'primary' | 'danger';

interface ButtonProps extends Omit<AriaProps, 'className' | 'children' | 'style'> {
  kind?: Kind;
  icon?: LucideIcon;
  shortcut?: string | undefined;
  children: ReactNode;
}

/** `primary` is for the one action that matters in a view. */
export function Button({ kind = 'plain', icon: Icon, shortcut, children, ...props }: ButtonProps) {
  const button = (
    <AriaButton {...props} className={styles.button ?? ''} data-kind={kind}>
      {Icon && <Icon size={14} aria-hidden />}
      {children}
    </AriaButton>
  );
  return shortcut ? <Hint text={<Shortcut keys={shortcut} />}>{button}</Hint> : button;
}

interface IconButtonProps extends Omit<AriaProps, 'className' | 'children' | 'style' | 'aria-label'> {
  icon: LucideIcon;
  label: string;
  shortcut?: string | undefined;
}

export function IconButton({ icon: Icon, label, shortcut, ...props }: IconButtonProps) {
  const text = (
    <>
      {label} {shortcut && <Shortcut keys={shortcut} />}
    </>
  );
  return (
    <Hint text={text}>
      <AriaButton {...props} aria-label={label} className={styles.icon ?? ''}>
        <Icon size={14} aria-hidden />
      </AriaButton>
    </Hint>
  );
}

/** A tooltip on the one focusable child. */
export function Hint({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      {children}
      <Tooltip className={styles.hint ?? ''} offset={6}>
        {text}
      </Tooltip>
    </TooltipTrigger>
  );
}

export function Shortcut({ keys }: { keys: string }) {
  const { mac } = useServices();
  return <kbd className={styles.keys}>{shortcutLabel(keys, mac)}</kbd>;
}
