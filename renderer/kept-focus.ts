/** Keeps the keyboard in its pane when what had it is taken away or disabled; where the pane is gone too, the session's input has it. */
import { useEffect } from 'react';

/** For what takes the keyboard then: a pane that listens to keys, a row whose button is gone. */
export const KEEPS_FOCUS = { 'data-keeps-focus': '', tabIndex: -1 } as const;

const KEEPER = '[data-keeps-focus]';
const INPUT = '[data-session] .cm-content, [data-session] .xterm-helper-textarea';

/** Whoever takes the keyboard on purpose does it within this. */
const AT_ONCE_MS = 30;
/** What is held again, or anew, is so within this. */
const AGAIN_MS = 300;

/** Where the keyboard was. */
interface Place {
  had: Element;
  /** What it was in and keeps it, the innermost first. */
  keepers: readonly HTMLElement[];
  panel: HTMLElement | null;
  main: HTMLElement;
}

interface Left extends Place {
  wasDisabled: boolean;
}

export function useKeptFocus(): void {
  useEffect(() => {
    // A dialog, a menu or a message is elsewhere: what it came from is come back to.
    let place: Place | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keep = (at: Left, isLast: boolean) => {
      // Who has gone to another view begins there.
      if (!isLost(at) || !at.main.isConnected) return;
      const pane = keeperNow(at);
      if (pane === null && !isLast) timer = setTimeout(() => keep(at, true), AGAIN_MS);
      else (pane ?? inputOrMain(at)).focus({ preventScroll: true });
    };
    const enter = ({ target }: FocusEvent) => {
      clearTimeout(timer);
      if (target instanceof Element) place = placeOf(target) ?? (place && { ...place, had: target });
    };
    const leave = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null || !place) return;
      // Asked now: what was disabled may be enabled again a moment later, and has the keyboard no more.
      const left = { ...place, wasDisabled: place.had.matches(':disabled') };
      timer = setTimeout(() => keep(left, false), AT_ONCE_MS);
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

/** Taken when the keyboard comes: what is taken away does not tell any more what it was in. */
function placeOf(target: Element): Place | null {
  const main = target.closest('main');
  if (!main) return null;
  const keepers: HTMLElement[] = [];
  for (let at = target.closest<HTMLElement>(KEEPER); at; at = outside(at)) keepers.push(at);
  return { had: target, keepers, panel: target.closest<HTMLElement>('[role=tabpanel]'), main };
}

function outside(keeper: Element): HTMLElement | null {
  return keeper.parentElement?.closest<HTMLElement>(KEEPER) ?? null;
}

/** Nobody has the keyboard, and who had it can have it no more. Who clicks beside everything has let go of it. */
function isLost({ had, wasDisabled }: Left): boolean {
  return (
    (wasDisabled || !had.checkVisibility()) &&
    (document.activeElement === null || document.activeElement === document.body)
  );
}

function keeperNow({ keepers, panel }: Place): HTMLElement | null {
  return keepers.find((keeper) => keeper.checkVisibility()) ?? panel?.querySelector(KEEPER) ?? null;
}

function inputOrMain({ main }: Place): HTMLElement {
  const input = main.querySelector<HTMLElement>(INPUT);
  // The session may be gone; the view is there, and Tab leads on from its beginning.
  if (input === null) main.tabIndex = -1;
  return input ?? main;
}
