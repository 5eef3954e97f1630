/** The kinds of file that evaluations are exported to: which evaluations each can hold, and its text. */
import type { ExportFormat } from '../../contract/history';
import type { Evaluation } from '../../contract/model';
import { type Dialect, dialectOf } from '../../source/dialect';
import { markdownText, sourceText } from './history-text';
import { notebookText } from './notebook';

type Rows = readonly Evaluation[];

/** Rows are oldest first. */
interface Export {
  fitting: (rows: Rows) => Rows;
  text: (rows: Rows) => string;
}

export const EXPORTS: Readonly<Record<ExportFormat, Export>> = {
  lisp: { fitting: written('common-lisp'), text: sourceText },
  clj: { fitting: written('clojure'), text: sourceText },
  ipynb: {
    // A notebook has one kernel.
    fitting: (rows) => rows.filter(({ engine }) => engine === rows.at(-1)?.engine),
    text: (rows) => notebookText(rows, rows.at(-1)?.engine ?? 'sbcl'),
  },
  md: {
    fitting: (rows) => rows,
    text: markdownText,
  },
};

function written(dialect: Dialect): (rows: Rows) => Rows {
  return (rows) => rows.filter(({ engine }) => dialectOf(engine) === dialect);
}
