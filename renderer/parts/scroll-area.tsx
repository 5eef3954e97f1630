/** A named area that scrolls, reachable with the keyboard, that finds its place again when it is shown again. */
import { type ReactNode, type Ref, useEffect, useRef } from 'react';
import { useServices } from '../services';

interface ScrollAreaProps {
  label: string;
  className?: string | undefined;
  /** The name under which its place is kept; without one it starts at the top. */
  keep?: string;
  children: ReactNode;
}

/** What scrolls must be reachable with the keyboard, or its end is out of reach without a mouse. */
const REACHABLE = { tabIndex: 0 } as const;

export function ScrollArea({ label, className, keep, children }: ScrollAreaProps) {
  const area = useKeptScroll<HTMLElement>(keep);
  return (
    <section ref={area} aria-label={label} className={className} {...REACHABLE}>
      {children}
    </section>
  );
}

/** For an element that scrolls and holds something focusable already. */
export function useKeptScroll<E extends HTMLElement>(keep: string | undefined): Ref<E> {
  const { kept } = useServices();
  const area = useRef<E>(null);
  useEffect(() => {
    const element = area.current;
    if (!element || keep === undefined) return;
    element.scrollTop = kept.getState().scrolls[keep] ?? 0;
    const remember = () =>
      kept.setState(({ scrolls }) => ({ scrolls: { ...scrolls, [keep]: element.scrollTop } }));
    element.addEventListener('scrollend', remember);
    return () => element.removeEventListener('scrollend', remember);
  }, [kept, keep]);
  return area;
}
