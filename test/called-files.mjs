/**
 * Loaded into a harbor with `--import`: writes the product files in which a function runs while an HTTP request with the header
 * `x-called-files` is answered, as a JSON array, to the file that the header names. V8 counts the calls of each function; the
 * source maps of the build say from which file it comes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { Session } from 'node:inspector';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

const profiler = new Session();
profiler.connect();
// In the thread of the session, an answer is there when the call returns.
profiler.post('Profiler.enable');
profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** Returns the functions that ran since the last call, by bundle and position. */
function calls() {
  /** @type {{ url: string, offset: number }[]} */
  const called = [];
  profiler.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error) throw error;
    for (const { url, functions } of result.filter(({ url }) => url.includes('/out/electron/')))
      for (const { ranges } of functions)
        if (ranges[0] && ranges[0].count > 0) called.push({ url, offset: ranges[0].startOffset });
  });
  return called;
}

/** @type {Map<string, { map: SourceMap, lines: number[] }>} */
const bundles = new Map();

/**
 * @param {string} url of a bundle
 * @param {number} offset
 * @returns {string} a path below the root of the checkout; empty for code of the bundler
 */
function sourceAt(url, offset) {
  const { map, lines } = bundles.get(url) ?? bundleAt(url);
  // A bundle has tens of thousands of lines.
  let [line, after] = [0, lines.length];
  while (after - line > 1) {
    const middle = (line + after) >> 1;
    if ((lines[middle] ?? 0) <= offset) line = middle;
    else after = middle;
  }
  /** @type {{ originalSource?: string }} */
  const entry = map.findEntry(line, offset - (lines[line] ?? 0));
  return entry.originalSource?.replace(/^(?:\.\.\/)+/, '') ?? '';
}

/** @param {string} url */
function bundleAt(url) {
  const file = fileURLToPath(url);
  const bundle = {
    map: new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8'))),
    lines: [0, ...Array.from(readFileSync(file, 'utf8').matchAll(/\n/g), ({ index }) => index + 1)],
  };
  bundles.set(url, bundle);
  return bundle;
}

const emit = http.Server.prototype.emit;

/**
 * @this {http.Server}
 * @param {string} event
 * @param {any[]} args
 */
http.Server.prototype.emit = function counting(event, ...args) {
  const [request, response] = /** @type {[http.IncomingMessage, http.ServerResponse]} */ (args);
  const target = event === 'request' ? request.headers['x-called-files'] : undefined;
  if (typeof target === 'string') {
    const end = response.end.bind(response);
    response.end = /** @type {typeof end} */ (
      (/** @type {[any]} */ ...body) => {
        const files = new Set(calls().map(({ url, offset }) => sourceAt(url, offset)));
        writeFileSync(target, JSON.stringify([...files].filter((file) => file.startsWith('electron/'))));
        return end(...body);
      }
    );
    calls();
  }
  return Reflect.apply(emit, this, [event, ...args]);
};
