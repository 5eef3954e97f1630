/** Our own Lisp code that a server gets, resources/swank: read, and loaded into images that do not have it yet. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { lispCall, quoted, type Sexp, symbol } from './sexp';

const FILES = ['package', 'objects', 'interrupts', 'evaluation', 'inspection', 'names'] as const;

/** The files as one text. */
export async function readHelper(folder: string): Promise<string> {
  const texts = FILES.map((name) => readFile(path.join(folder, `${name}.lisp`), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

/** A form that loads the helper, with nothing printed, where the image has none or that of another version. */
export function loadingHelper(text: string): Sexp {
  const version = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const source = `${text}\n(setf *source* "${version}")\n`;
  return lispCall(
    'cl:unless',
    lispCall('cl:equal', version, loadedVersion()),
    lispCall(
      'cl:handler-bind',
      [[symbol('cl:warning'), quoted(symbol('cl:muffle-warning'))]],
      lispCall(
        'cl:let',
        [
          [symbol('cl:*readtable*'), lispCall('cl:copy-readtable', [])],
          [symbol('cl:*package*'), symbol('cl:*package*')],
        ],
        lispCall('cl:load', lispCall('cl:make-string-input-stream', source)),
      ),
    ),
    [],
  );
}

function loadedVersion(): Sexp {
  const packageName = 'LISP-HARBOR.SWANK';
  return lispCall(
    'cl:and',
    lispCall('cl:find-package', packageName),
    lispCall('cl:symbol-value', lispCall('cl:find-symbol', '*SOURCE*', packageName)),
  );
}
