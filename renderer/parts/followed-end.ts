/** Keeps the end of what grows in view, unless the person has scrolled up to read. */
import { type RefObject, useEffect, useRef } from 'react';

/** Pixels from the end at which a person still looks at it. */
const NEAR = 24;

/**
 * For an element that scrolls and whose last child grows.
 * @param shown whether the child is there
 */
export function useFollowedEnd(shown: boolean): RefObject<HTMLDivElement | null> {
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = area.current;
    const growing = element?.lastElementChild;
    if (!shown || !element || !growing) return;
    let atEnd = true;
    const note = () => {
      atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    };
    const observer = new ResizeObserver(() => {
      if (atEnd) element.scrollTop = element.scrollHeight;
    });
    observer.observe(growing);
    observer.observe(element);
    element.addEventListener('scroll', note);
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', note);
    };
  }, [shown]);
  return area;
}
