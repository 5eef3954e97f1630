/** An area that scrolls and whose end stays in view while it grows, until a person scrolls up to read. */
import { type RefObject, useEffect, useRef } from 'react';

/** Pixels from the end at which a person still looks at it. */
const NEAR = 32;

const KEYS_UP: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

/**
 * Only what a person does leaves the end. An area also scrolls up because what is in it was measured anew, and that is
 * told by the same events.
 */
export class FollowedEnd {
  readonly #area: HTMLElement;
  readonly #resized = new ResizeObserver(() => this.grown());
  readonly #listening = new AbortController();
  #followed = true;
  /** Pixels below what is shown, as they were last seen. */
  #below = 0;

  /** @param area follows its end from now on, also when it becomes lower itself */
  constructor(area: HTMLElement) {
    this.#area = area;
    const options = { signal: this.#listening.signal, passive: true };
    area.addEventListener('scroll', () => this.#scrolled(), options);
    area.addEventListener('wheel', ({ deltaY }) => deltaY < 0 && this.#leave(), options);
    area.addEventListener('touchmove', () => this.#leave(), options);
    area.addEventListener('keydown', ({ key }) => this.#pressed(key), options);
    // The bar at the side is of the area itself.
    area.addEventListener('pointerdown', ({ target }) => target === area && this.#leave(), options);
    window.addEventListener('pointerup', () => this.#look(), options);
    // What has the focus has been brought into view by the next frame.
    area.addEventListener(
      'focusin',
      () => requestAnimationFrame(() => this.#isNear() || this.#leave()),
      options,
    );
    this.#resized.observe(area);
  }

  /** What is in it has become higher or lower. */
  grown(): void {
    if (this.#followed) this.#area.scrollTop = this.#area.scrollHeight;
    this.#below = this.#measure();
  }

  stop(): void {
    this.#listening.abort();
    this.#resized.disconnect();
  }

  /** The end is there at once: while an area scrolls to it slowly more may come. */
  #pressed(key: string): void {
    if (KEYS_UP.has(key)) this.#leave();
    if (key !== 'End') return;
    this.#followed = true;
    this.grown();
  }

  #leave(): void {
    if (this.#area.scrollTop > 0) this.#followed = false;
  }

  /** Only what comes nearer to the end looks for it: on a way up, which may be a slow one, it is still near. */
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
