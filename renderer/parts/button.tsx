/**
 * Buttons with text or with an icon, copy buttons and menus. An icon button shows its label and shortcut in a
 * tooltip.
 */

import { Check, Copy, type LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import {
  Button as AriaButton,
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  type ButtonProps as AriaProps,
  Header,
  MenuSection,
  Popover,
  Tooltip,
  TooltipTrigger,
  VisuallyHidden,
} from 'react-aria-components';
import { useServices, useWords } from '../services';
import { shortcutLabel } from '../shortcuts';
import styles from './button.module.css';

type Kind = 'plain' | 'primary' | 'danger';

interface ButtonProps extends Omit<AriaProps, 'className' | 'children' | 'style'> {
  kind?: Kind;
  icon?: LucideIcon;
  shortcut?: string | undefined;
  children: ReactNode;
}

/** A button with text. `primary` is for the main action of a view. */
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

/** A tooltip for one focusable child. */
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

const SHOWN_MS = 1_500;

interface CopyProps {
  text: string;
  /** Name of the copied text, from the `copying` texts. */
  what: string;
  /** Whether to show text next to the icon. */
  wide?: boolean;
  /** Whether to focus the button when it appears. */
  autoFocus?: boolean;
}

export function CopyButton({ text, what, wide = false, autoFocus = false }: CopyProps) {
  const words = useWords();
  const { actions } = useServices();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const icon = copied ? Check : Copy;
  const copy = () => void actions.copy(text, what).then(setCopied);
  return (
    <>
      {wide ? (
        <Button icon={icon} autoFocus={autoFocus} onPress={copy}>
          {words.copying.copy(what)}
        </Button>
      ) : (
        <IconButton icon={icon} label={words.copying.copy(what)} autoFocus={autoFocus} onPress={copy} />
      )}
      <VisuallyHidden role="status">{copied && words.copying.copied}</VisuallyHidden>
    </>
  );
}

interface MenuProps {
  label: string;
  children: ReactNode;
}

export function Menu({ label, children }: MenuProps) {
  return (
    <Popover placement="bottom end" className={styles.popover ?? ''}>
      <AriaMenu aria-label={label} className={styles.menu ?? ''}>
        {children}
      </AriaMenu>
    </Popover>
  );
}

interface MenuItemProps {
  title: string;
  /** Shown after the title on the same line. */
  mark?: ReactNode;
  about: ReactNode;
  isDisabled?: boolean;
  onChoose: () => void;
}

export function MenuItem({ title, mark, about, isDisabled = false, onChoose }: MenuItemProps) {
  return (
    <AriaMenuItem textValue={title} className={styles.item ?? ''} isDisabled={isDisabled} onAction={onChoose}>
      <span>
        {title}
        {mark}
      </span>
      <span className={styles.about}>{about}</span>
    </AriaMenuItem>
  );
}

interface HeadedSectionProps {
  heading: string;
  children: ReactNode;
}

/** A group of menu items below a separator and a heading. */
export function HeadedSection({ heading, children }: HeadedSectionProps) {
  return (
    <MenuSection className={styles.section ?? ''}>
      <Header className={styles.heading ?? ''}>{heading}</Header>
      {children}
    </MenuSection>
  );
}
