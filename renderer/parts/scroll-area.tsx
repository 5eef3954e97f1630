/** A named area that scrolls, by keyboard too, and is where it was when it is shown again. */
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useServices } from '../services';

interface ScrollAreaProps {
  label: string;
  className?: string | undefined;
  /** The name under which its scroll position is remembered; without one it starts at the top. */
  rememberAs?: string;
  children: ReactNode;
}

/** What scrolls must be reachable with the keyboard, or its end is out of reach without a mouse. */
const REACHABLE = { tabIndex: 0, 'data-scroll-area': '' } as const;

export function ScrollArea({ label, className, rememberAs, children }: ScrollAreaProps) {
  const area = useRememberedScroll<HTMLElement>(rememberAs);
  return (
    <section ref={area} aria-label={label} className={className} {...REACHABLE}>
      {children}
    </section>
  );
}

/** Remembers the scroll position of an element. One that is not a ScrollArea must hold something focusable. */
export function useRememberedScroll<E extends HTMLElement>(
  rememberAs: string | undefined,
): RefObject<E | null> {
  const { viewState } = useServices();
  const area = useRef<E>(null);
  useEffect(() => {
    const element = area.current;
    if (!element || rememberAs === undefined) return;
    element.scrollTop = viewState.getState().scrolls[rememberAs] ?? 0;
    const remember = () =>
      viewState.setState(({ scrolls }) => ({ scrolls: { ...scrolls, [rememberAs]: element.scrollTop } }));
    element.addEventListener('scrollend', remember);
    return () => element.removeEventListener('scrollend', remember);
  }, [viewState, rememberAs]);
  return area;
}
