/** Scrolling areas: with a remembered position, or following their end. */

import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useServices } from '../services';

interface ScrollAreaProps {
  label: string;
  className?: string | undefined;
  /** Key of the remembered scroll position; without it, the area starts at the top. */
  rememberAs?: string;
  children: ReactNode;
}

/** Scrolling elements must be focusable, or keyboard users cannot reach their end. */
const REACHABLE = { tabIndex: 0, 'data-scroll-area': '' } as const;

export function ScrollArea({ label, className, rememberAs, children }: ScrollAreaProps) {
  const area = useRememberedScroll<HTMLElement>(rememberAs);
  return (
    <section ref={area} aria-label={label} className={className} {...REACHABLE}>
      {children}
    </section>
  );
}

/**
 * Remembers the scroll position of an element. Without ScrollArea, the element must contain something
 * focusable.
 */
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

/** Distance in pixels from the end within which the area follows its end. */
const NEAR = 32;

const KEYS_UP: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

/**
 * Keeps the end of a growing area visible until the user scrolls up. Scroll events alone do not tell: they
 * also occur when content is measured again.
 */
export class FollowedEnd {
  readonly #area: HTMLElement;
  readonly #resized = new ResizeObserver(() => this.grown());
  readonly #listening = new AbortController();
  #followed = true;
  /** Pixels below the visible part, at the last measurement. */
  #below = 0;

  /** @param area follows its end from now on, also when its height shrinks */
  constructor(area: HTMLElement) {
    this.#area = area;
    const options = { signal: this.#listening.signal, passive: true };
    area.addEventListener('scroll', () => this.#scrolled(), options);
    area.addEventListener('wheel', ({ deltaY }) => deltaY < 0 && this.#leave(), options);
    area.addEventListener('touchmove', () => this.#leave(), options);
    area.addEventListener('keydown', ({ key }) => this.#pressed(key), options);
    // A press on the scroll bar has the area itself as its target.
    area.addEventListener('pointerdown', ({ target }) => target === area && this.#leave(), options);
    window.addEventListener('pointerup', () => this.#look(), options);
    // The focused element is scrolled into view by the next frame.
    area.addEventListener(
      'focusin',
      () => requestAnimationFrame(() => this.#isNear() || this.#leave()),
      options,
    );
    this.#resized.observe(area);
  }

  /** Called when the height of the content changes. */
  grown(): void {
    if (this.#followed) this.#area.scrollTop = this.#area.scrollHeight;
    this.#below = this.#measure();
  }

  stop(): void {
    this.#listening.abort();
    this.#resized.disconnect();
  }

  /** Jumps to the end without smooth scrolling, because more content may arrive meanwhile. */
  #pressed(key: string): void {
    if (KEYS_UP.has(key)) this.#leave();
    if (key !== 'End') return;
    this.#followed = true;
    this.grown();
  }

  #leave(): void {
    if (this.#area.scrollTop > 0) this.#followed = false;
  }

  /** Only scrolling down resumes following; at the start of a slow scroll up, the end is still near. */
  #scrolled(): void {
    const below = this.#measure();
    if (below < this.#below) this.#look();
    this.#below = below;
  }

  #look(): void {
    if (this.#isNear()) this.#followed = true;
  }

  #isNear(): boolean {
    return this.#measure() < NEAR;
  }

  #measure(): number {
    const { scrollHeight, scrollTop, clientHeight } = this.#area;
    return scrollHeight - scrollTop - clientHeight;
  }
}

/** Follows the end of an area whose last child grows. */
export function useFollowedEnd(): RefObject<HTMLDivElement | null> {
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const growing = area.current?.lastElementChild;
    if (!area.current || !growing) return;
    const end = new FollowedEnd(area.current);
    const observer = new ResizeObserver(() => end.grown());
    observer.observe(growing);
    return () => {
      observer.disconnect();
      end.stop();
    };
  }, []);
  return area;
}
