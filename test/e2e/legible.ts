/** What of the page as it stands nobody could read or press: beside the window, squeezed to nothing, or under something else. */
import { expect, type Page } from '@playwright/test';

/** Milliseconds in which a page has taken the size that it was given. */
const SETTLED_MS = 10_000;

const expectSoftly = expect.configure({ soft: true });

/** Goes on after what it finds, so that one run tells of all. */
export async function expectLegible(page: Page, view: string): Promise<void> {
  await page.mouse.move(0, 0);
  await expect(page.getByRole('tooltip')).toBeHidden();
  const options = { message: view, timeout: SETTLED_MS };
  await expectSoftly.poll(() => page.evaluate(illegible), options).toEqual([]);
}

/** Runs in the page: it sees nothing of this file. */
function illegible(): string[] {
  /** A text that is cut shows so much of itself at least, in pixels. */
  const LEAST_TEXT = 32;
  /** So many pixels may two boxes share: letters stand in boxes that are higher than they. */
  const SHARED = 4;
  /** These draw their own text, or scroll sideways because they are meant to. */
  const OWN =
    '.xterm, :has(> .xterm), .cm-editor, pre, [role=tablist], fieldset[aria-label="Flame graph"], svg';

  interface Box {
    element: Element;
    left: number;
    right: number;
    top: number;
    bottom: number;
    /** What it floats in over the rest, as a message does. */
    layer: Element | null;
  }

  // Each box asks all that it lies in, so the page's answers are kept: styles are most of the work.
  const layers = new Map<Element, Element | null>();
  const layerOf = (element: Element | null): Element | null => {
    if (element === null) return null;
    let layer = layers.get(element);
    if (layer === undefined) {
      layer = getComputedStyle(element).position === 'fixed' ? element : layerOf(element.parentElement);
      layers.set(element, layer);
    }
    return layer;
  };

  const root =
    [...document.querySelectorAll('[role=menu], [role=dialog], [role=alertdialog]')].at(-1) ?? document.body;
  const seen = [...root.querySelectorAll('*')]
    .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .filter((element) => !element.closest(OWN));
  const told = (element: Element) =>
    `${element.tagName.toLowerCase()} “${(element.getAttribute('aria-label') ?? element.textContent).slice(0, 60)}”`;

  type Edges = Pick<Box, 'left' | 'right' | 'top' | 'bottom'>;
  const EVERYWHERE: Edges = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };
  const within = (one: Edges, other: Edges): Edges => ({
    left: Math.max(one.left, other.left),
    right: Math.min(one.right, other.right),
    top: Math.max(one.top, other.top),
    bottom: Math.min(one.bottom, other.bottom),
  });

  /** Where an element and all that it lies in show what is in them; null for nowhere. */
  const clips = new Map<Element, Edges | null>();
  const clipOf = (element: Element | null): Edges | null => {
    if (element === null || element === document.body) return EVERYWHERE;
    let clip = clips.get(element);
    if (clip === undefined) {
      const above = clipOf(element.parentElement);
      const { overflowX, overflowY, clipPath } = getComputedStyle(element);
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const own = {
        ...EVERYWHERE,
        ...(overflowX === 'visible' ? {} : { left, right }),
        ...(overflowY === 'visible' ? {} : { top, bottom }),
      };
      clip = above === null || clipPath !== 'none' ? null : within(above, own);
      clips.set(element, clip);
    }
    return clip;
  };

  /** What is seen of a box, once all that it lies in has cut it; null when nothing is. */
  const cut = (element: Element, box: DOMRect): Box | null => {
    const clip = clipOf(element);
    if (clip === null) return null;
    const seen = within(box, clip);
    return seen.right - seen.left > 1 && seen.bottom - seen.top > 1
      ? { element, ...seen, layer: layerOf(element) }
      : null;
  };

  const isPressed = (element: Element) => element.matches('a, button, input, select, summary');
  const textsOf = (element: Element) =>
    [...element.childNodes].filter(
      (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim() !== '',
    );

  const besides = seen
    .filter(isPressed)
    .filter(
      (element) =>
        cut(element, element.getBoundingClientRect()) !== null || element.getBoundingClientRect().width > 1,
    )
    .filter((element) => {
      const whole = element.getBoundingClientRect();
      const { left, right } = cut(element, new DOMRect(whole.left, -1e6, whole.width, 2e6)) ?? whole;
      return whole.width > 1 && (right > innerWidth + 1 || whole.width - (right - left) > 2);
    })
    .map((element) => `cut off: ${told(element)}`);

  const sideways = seen
    .filter((element) => ['auto', 'scroll', 'hidden'].includes(getComputedStyle(element).overflowX))
    .filter((element) => getComputedStyle(element).textOverflow !== 'ellipsis')
    .filter((element) => element.clientWidth > 2 && element.scrollWidth > element.clientWidth + 1)
    .map(
      (element) => `wider than its room by ${element.scrollWidth - element.clientWidth}: ${told(element)}`,
    );

  const squeezed = seen
    .filter((element) => getComputedStyle(element).textOverflow === 'ellipsis')
    .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth < LEAST_TEXT)
    .filter(
      (element) =>
        cut(element.parentElement ?? element, (element.parentElement ?? element).getBoundingClientRect()) !==
        null,
    )
    .map((element) => `squeezed to ${element.clientWidth}: ${told(element)}`);

  const boxes = seen.flatMap((element): Box[] => {
    if (getComputedStyle(element).position === 'sticky' || element.closest('thead')) return [];
    if (isPressed(element)) {
      const box = cut(element, element.getBoundingClientRect());
      return box ? [box] : [];
    }
    return textsOf(element).flatMap((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()].flatMap((rect) => cut(element, rect) ?? []);
    });
  });
  const overlaps = boxes.flatMap((one, index) =>
    boxes.slice(index + 1).flatMap((other) => {
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (width <= SHARED || height <= SHARED || one.layer !== other.layer) return [];
      return one.element.contains(other.element) || other.element.contains(one.element)
        ? []
        : [`on one another: ${told(one.element)}, ${told(other.element)}`];
    }),
  );
  return [...new Set([...besides, ...sideways, ...squeezed, ...overlaps])];
}
