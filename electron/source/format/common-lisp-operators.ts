/** How the operators of Common Lisp and ACL2, and some of widespread libraries, have their arguments indented. */
import { isList } from '../form-name';
import { type Branch, formsOf } from '../syntax-tree';
import { loopShape } from './loop-shape';
import { BODY, callColumn, form, PARAMETERS, type Shape, type Step } from './shape';

/** What a tag is indented by. */
const TAG = 1;

/** Forms that follow one another, the first with a step of its own. */
const eachOf = (inside: Shape): Step => ({ at: BODY, inside });

const BINDINGS = form({ at: 4, inside: [{ at: 1, inside: [1, 2] }] }, BODY);
const FUNCTIONS = form({ at: 4, inside: [{ at: 1, inside: [1, 'parameters', BODY] }] }, BODY);
const CLAUSES = form(4, eachOf([1]));
const HANDLERS = form(4, eachOf([1, { at: BODY, inside: PARAMETERS }, BODY]));
const ITERATION = form({ at: 4, inside: [1] }, BODY);
const DEFINITION = form(4, 'parameters', BODY);
const CLASS = form(6, { at: 4, inside: [1] }, { at: BODY, inside: [1] });
const STRUCTURE = form({ at: 4, inside: 'call' }, eachOf([1]));
const VALUES = form({ at: 6, inside: [1] }, 4, BODY);
const OPTIONS = form({ at: 4, inside: [1] }, BODY);

/** Statements from a place on, and tags, which are all that is no list. */
const statements = (first: number, indent: number): Shape => ({
  column(line, text) {
    const { list, node, place } = line;
    if (place < first) return callColumn(line);
    return list.column + (node === null || text.startsWith('(', node.start) ? indent : TAG);
  },
});

const SHAPES: readonly (readonly [names: string, shape: Shape])[] = [
  ['progn pprogn er-progn return', { bodyAfter: 0 }],
  [
    'awhen b* block catch er-let* eval-when if-let if-let* locally mbe-let multiple-value-prog1 once-only prog1 throw unless unless-let until when when-let when-let* while',
    { bodyAfter: 1 },
  ],
  ['prog2', { bodyAfter: 2 }],
  ['let let* symbol-macrolet compiler-let handler-bind restart-bind', BINDINGS],
  ['flet labels macrolet generic-flet generic-labels', FUNCTIONS],
  ['case ccase ecase typecase etypecase ctypecase case-match', CLAUSES],
  ['cond', form(eachOf('call'))],
  ['handler-case restart-case', HANDLERS],
  ['dolist dotimes', ITERATION],
  [
    'defun defmacro deftype defgeneric define-setf-expander define-modify-macro define-compiler-macro',
    DEFINITION,
  ],
  ['defclass define-condition', CLASS],
  ['defstruct', STRUCTURE],
  [
    'defvar defparameter defconstant defpackage multiple-value-call multiple-value-setq pprint-logical-block with-output-to-string',
    form(4, BODY),
  ],
  ['destructuring-bind', form('parameters', 4, BODY)],
  ['multiple-value-bind mv-let with-accessors with-slots with-condition-restarts', VALUES],
  ['print-unreadable-object with-compilation-unit', OPTIONS],
  ['progv', form(4, 4, BODY)],
  ['unwind-protect', form(5, BODY)],
  ['return-from', form('call', BODY)],
  ['with-standard-io-syntax', form(BODY)],
  ['lambda', form('parameters', BODY)],
  [':constructor', form(4, 'parameters')],
  ['named-lambda', DEFINITION],
  ['loop', loopShape],
  ['tagbody', statements(1, 3)],
  ['prog prog*', statements(2, 3)],
  ['do do*', statements(3, BODY)],
  ['if', 'call'],
];

const BY_NAME = new Map(SHAPES.flatMap(([names, shape]) => names.split(' ').map((name) => [name, shape])));

/** null for an operator that is none of these. */
export function standardShape(operator: string, list: Branch): Shape | null {
  switch (operator) {
    case 'defmethod':
    case ':method':
      return methodShape(list, operator === 'defmethod');
    case 'defsetf':
      return formsOf(list)[2]?.kind === 'list' ? form(4, 'parameters', 4, BODY) : form(4, 4, BODY);
    default:
      return BY_NAME.get(operator) ?? null;
  }
}

/** Qualifiers stand between the name and the lambda list. */
function methodShape(list: Branch, named: boolean): Shape {
  const [, ...rest] = formsOf(list);
  const parameters = rest.findIndex((node, place) => isList(node) && (place > 0 || !named));
  const before = Array.from({ length: Math.max(0, parameters) }, (): Step => 4);
  return form(...before, 'parameters', BODY);
}
