/**
 * Effects on the document: focus recovery, theme and title. Focus recovery moves the focus to its pane when
 * the focused element is removed or disabled, or to the session's input if the pane is removed too. In a dialog
 * it moves the focus to the dialog, so that Escape closes it.
 */

import { useEffect, useSyncExternalStore } from 'react';
import type { Theme } from '../electron/contract/option-values';
import { useSettings } from './bridge-queries';
import { useLive } from './services';

/**
 * Attributes of an element that receives the focus in that case, such as a pane with key handlers or a row
 * whose button was removed.
 */
export const FOCUS_PANE = { 'data-keeps-focus': '', tabIndex: -1 } as const;

const PANE_SELECTOR = '[data-keeps-focus]';
const INPUT = '[data-session] .cm-content, [data-session] .xterm-helper-textarea';

/** Intentional focus changes happen within this time, in milliseconds. */
const AT_ONCE_MS = 30;
/** A debugger that is suspended again is drawn within this time, in milliseconds. */
const AGAIN_MS = 300;

/** The previous location of the focus. */
interface Place {
  had: Element;
  /** Enclosing panes, innermost first. */
  panes: readonly HTMLElement[];
  panel: HTMLElement | null;
  main: HTMLElement;
  /** The dialog that had the focus over all this. */
  dialog: HTMLElement | null;
}

interface LostFocus extends Place {
  wasDisabled: boolean;
}

export function useFocusRecovery(): void {
  useEffect(() => {
    // Dialogs, menus and messages return the focus themselves when they close.
    let place: Place | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const recover = (at: LostFocus, isLast: boolean) => {
      // Another view was opened and manages its own focus.
      if (!isLost(at) || !at.main.isConnected) return;
      const pane = at.dialog?.isConnected ? at.dialog : visiblePane(at);
      if (pane === null && !isLast) timer = setTimeout(() => recover(at, true), AGAIN_MS);
      else (pane ?? inputOrMain(at)).focus({ preventScroll: true });
    };
    const enter = ({ target }: FocusEvent) => {
      clearTimeout(timer);
      if (!(target instanceof Element)) return;
      const dialog = target.closest<HTMLElement>('[role=dialog]');
      place = placeOf(target) ?? (place && { ...place, had: target, dialog });
    };
    const leave = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null || !place) return;
      // Read now: a disabled element may be enabled again a moment later, without the focus.
      const lost = { ...place, wasDisabled: place.had.matches(':disabled') };
      timer = setTimeout(() => recover(lost, false), AT_ONCE_MS);
    };
    document.addEventListener('focusin', enter);
    document.addEventListener('focusout', leave);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('focusin', enter);
      document.removeEventListener('focusout', leave);
    };
  }, []);
}

/** Called when an element gets the focus, because a removed element has no ancestors. */
function placeOf(target: Element): Place | null {
  const main = target.closest('main');
  if (!main) return null;
  const panes: HTMLElement[] = [];
  for (let at = target.closest<HTMLElement>(PANE_SELECTOR); at; at = outside(at)) panes.push(at);
  return { had: target, panes, panel: target.closest<HTMLElement>('[role=tabpanel]'), main, dialog: null };
}

function outside(pane: Element): HTMLElement | null {
  return pane.parentElement?.closest<HTMLElement>(PANE_SELECTOR) ?? null;
}

/**
 * Reports whether the focused element was removed or disabled and nothing else has the focus. False after a
 * click on an empty area.
 */
function isLost({ had, wasDisabled }: LostFocus): boolean {
  return (
    (wasDisabled || !had.checkVisibility()) &&
    (document.activeElement === null || document.activeElement === document.body)
  );
}

function visiblePane({ panes, panel }: Place): HTMLElement | null {
  return panes.find((pane) => pane.checkVisibility()) ?? panel?.querySelector(PANE_SELECTOR) ?? null;
}

function inputOrMain({ main }: Place): HTMLElement {
  const input = main.querySelector<HTMLElement>(INPUT);
  // Without an input the view gets the focus, so that Tab continues from its start.
  if (input === null) main.tabIndex = -1;
  return input ?? main;
}

// Light or dark theme, by the settings or else by the system.

const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)');

function followSystem(changed: () => void): () => void {
  const query = systemIsDark();
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/** Reports whether the theme is dark. For content that CSS does not style. */
export function useDark(): boolean {
  const system = useSyncExternalStore(followSystem, () => systemIsDark().matches);
  const theme: Theme = useSettings().data?.theme ?? 'system';
  return theme === 'system' ? system : theme === 'dark';
}

/** Sets the `data-theme` attribute of the document, which the CSS uses. */
export function usePageTheme(): void {
  const theme = useSettings().data?.theme ?? 'system';
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
}

/** Sets the window title. It starts with the number of pending needs, which a task bar shows. */
export function useWindowTitle(): void {
  const needs = useLive((state) => state.needs.needs.length);
  useEffect(() => {
    document.title = needs > 0 ? `(${needs}) Lisp Harbor` : 'Lisp Harbor';
  }, [needs]);
}
