/**
 * A chart of the numbers in a sequence. If there are more numbers than points, shows the minimum and maximum
 * of each section.
 */
import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import type { Numbers } from '../../electron/contract/inspection';
import type { Words } from '../../electron/words/words';
import { useWords } from '../services';
import styles from './inspector.module.css';

const HEIGHT = 260;

/** Numbers from this size on are labelled by exponent, because their digits need too much width. */
const LONG = 1e12;
/** Font size of labels in pixels. */
const LABEL_SIZE = 12;
/** Space on both sides of the labels of an axis, in pixels. */
const LABEL_GAP = 20;

export function ChartView({ numbers }: { numbers: Numbers }) {
  const words = useWords();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let plot = drawn(numbers, element, words);
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    // Colors are read once: redraw for another theme.
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => {
      plot.destroy();
      plot = drawn(numbers, element, words);
    };
    dark.addEventListener('change', redraw);
    return () => {
      resized.disconnect();
      dark.removeEventListener('change', redraw);
      plot.destroy();
    };
  }, [numbers, words]);
  return (
    <figure className={styles.chart}>
      <div ref={place} role="img" aria-label={summary(numbers, words)} />
      <figcaption>{summary(numbers, words)}</figcaption>
    </figure>
  );
}

function drawn({ low, high, step }: Numbers, element: HTMLElement, { inspector, formats }: Words): uPlot {
  const { chart } = inspector;
  const style = getComputedStyle(element);
  const colour = (token: string) => resolved(style.getPropertyValue(token), element);
  const font = `${LABEL_SIZE}px ${style.fontFamily}`;
  const lengthOf = rulerOf(font);
  const axis = {
    font,
    values: (_: uPlot, marks: number[]) =>
      marks.map((mark) => (Math.abs(mark) < LONG ? formats.figure(mark) : mark.toExponential())),
    stroke: colour('--text-3'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
  };
  const line = { stroke: colour('--accent'), width: 1.25, points: { show: low.length <= 60 } };
  const places = low.map((_, index) => index * step);
  const options: uPlot.Options = {
    width: element.clientWidth,
    height: HEIGHT,
    scales: { x: { time: false } },
    axes: [axis, { ...axis, size: (_, labels) => LABEL_GAP + Math.max(0, ...(labels ?? []).map(lengthOf)) }],
    // Half of the last label extends past the end of its axis.
    padding: [null, Math.ceil(lengthOf(formats.number(places.at(-1) ?? 0)) / 2), null, null],
    series: [
      { label: chart.place },
      { label: step === 1 ? chart.value : chart.highest, ...line },
      ...(step === 1 ? [] : [{ label: chart.lowest, ...line }]),
    ],
    ...(step === 1
      ? {}
      : { bands: [{ series: [1, 2] as [number, number], fill: colour('--ground-selected') }] }),
  };
  return new uPlot(options, step === 1 ? [places, [...high]] : [places, [...high], [...low]], element);
}

/** Returns a function that measures the width of a text in pixels. */
function rulerOf(font: string): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return () => 0;
  context.font = font;
  return (text) => Math.ceil(context.measureText(text).width);
}

/** Resolves a color, because a canvas does not support `light-dark()`. */
function resolved(value: string, element: HTMLElement): string {
  const probe = document.createElement('span');
  probe.style.color = value;
  element.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

function summary({ total, low, high }: Numbers, { inspector, formats }: Words): string {
  const known = (values: readonly (number | null)[]) => values.filter((value) => value !== null);
  const least = known(low).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = known(high).reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return inspector.numbers(formats.number(total), formats.figure(least), formats.figure(most));
}
