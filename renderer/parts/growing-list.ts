/** Lists that grow at their end only: keys for their items, and an area that keeps the end in view. */
import { type RefObject, useEffect, useRef } from 'react';

/** Each item with its index as a key: the items have no identity of their own, and none ever moves. */
export function keyed<T>(items: readonly T[]): readonly { key: string; item: T }[] {
  return items.map((item, index) => ({ key: String(index), item }));
}

/** Pixels from the end at which a person still looks at it. */
const NEAR = 24;

/**
 * Keeps the end of an area in view, unless the person has scrolled up to read. The area scrolls, and its last child grows.
 * @param shown whether the child is there
 */
export function useFollowedEnd(shown: boolean): RefObject<HTMLDivElement | null> {
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = area.current;
    const growing = element?.lastElementChild;
    if (!shown || !element || !growing) return;
    let atEnd = true;
    let followed = 0;
    const note = () => {
      const near = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
      // When only the list has grown, the person has not left its end.
      atEnd = near || (atEnd && element.scrollTop >= followed);
    };
    const observer = new ResizeObserver(() => {
      if (!atEnd) return;
      element.scrollTop = element.scrollHeight;
      followed = element.scrollTop;
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
