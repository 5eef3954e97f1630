/** The kinds of file that evaluations are exported to: what each is called, which evaluations it can hold, and its text. */
import type { ExportFormat } from '../../contract/history';
import type { Evaluation } from '../../contract/model';
import { type Dialect, dialectOf } from '../../source/dialect';
import { markdownText, sourceText } from './history-text';
import { notebookText } from './notebook';

type Rows = readonly Evaluation[];

/** Rows are oldest first. */
interface Export {
  name: string;
  about: string;
  fitting: (rows: Rows) => Rows;
  text: (rows: Rows) => string;
}

const SOURCE = 'What was evaluated, as source that can be loaded; what failed is in comments.';

export const EXPORTS: Readonly<Record<ExportFormat, Export>> = {
  lisp: { name: 'Lisp', about: SOURCE, fitting: written('common-lisp'), text: sourceText },
  clj: { name: 'Clojure', about: SOURCE, fitting: written('clojure'), text: sourceText },
  ipynb: {
    name: 'Notebook',
    about: 'What was evaluated and what came of it, for Jupyter.',
    // A notebook has one kernel.
    fitting: (rows) => rows.filter(({ engine }) => engine === rows.at(-1)?.engine),
    text: (rows) => notebookText(rows, rows.at(-1)?.engine ?? 'sbcl'),
  },
  md: {
    name: 'Markdown',
    about: 'What was evaluated and what came of it, to be read.',
    fitting: (rows) => rows,
    text: markdownText,
  },
};

function written(dialect: Dialect): (rows: Rows) => Rows {
  return (rows) => rows.filter(({ engine }) => dialectOf(engine) === dialect);
}
