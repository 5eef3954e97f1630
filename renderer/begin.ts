/**
 * The entry script of the document. Loads the page's code after the first paint, so that the window outline
 * appears at once.
 */

const begin = () => void import('./main');

if (document.hidden) {
  // A hidden page never paints.
  begin();
} else {
  const observer = new PerformanceObserver(() => {
    observer.disconnect();
    begin();
  });
  observer.observe({ type: 'paint', buffered: true });
}

export {};
