/** The menu that opens below a button in a MenuTrigger: items, each with a few words about it. */
import type { ReactNode } from 'react';
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  Header,
  MenuSection,
  Popover,
} from 'react-aria-components';
import styles from './popup-menu.module.css';

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
  /** Follows the title in its line. */
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

/** A group of items under a line and a heading. */
export function HeadedSection({ heading, children }: HeadedSectionProps) {
  return (
    <MenuSection className={styles.section ?? ''}>
      <Header className={styles.heading ?? ''}>{heading}</Header>
      {children}
    </MenuSection>
  );
}
