/** The points of a small line that shows how a figure has changed. Pure. */

/** @param readings oldest first, two at least @returns what an SVG polyline takes, within the width and height */
export function pointsOf(readings: readonly number[], width: number, height: number): string {
  const [least, most] = [Math.min(...readings), Math.max(...readings)];
  // What hardly changes is a flat line in the middle: noise is no news.
  const span = Math.max(most - least, most * 0.05, 1);
  const middle = (most + least) / 2;
  return readings
    .map((reading, index) => {
      const x = 1 + (index / (readings.length - 1)) * (width - 2);
      const y = height / 2 - ((reading - middle) / span) * (height - 3);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}
