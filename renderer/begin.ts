/** What the document runs: the page's code, which takes longer than a frame, once the outline of the window is on the screen. */

const begin = () => void import('./main');

if (document.hidden) {
  // Nothing is drawn where nobody looks.
  begin();
} else {
  const observer = new PerformanceObserver(() => {
    observer.disconnect();
    begin();
  });
  observer.observe({ type: 'paint', buffered: true });
}

export {};
