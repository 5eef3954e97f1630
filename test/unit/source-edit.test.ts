/** Edits by form: what is named changes, everything else keeps its bytes. */
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../electron/source/dialect';
import { applyEdit, type Edit } from '../../electron/source/edit';
import { read } from '../../electron/source/reader';

const SHAPES = `(in-package :shapes)

;;; What everybody has.
(defgeneric area (shape)) ; in square metres

(defmethod area ((shape circle))
  (* pi (expt (radius shape) 2)))

(defmethod area :around ((shape t))
  (call-next-method))

(defun (setf radius) (value shape)
  (setf (slot-value shape 'radius) value))

#+sbcl
(defun twice (x) "now" (+ x x))
#-sbcl
(defun twice (x) (* 2 x))

(eval-when (:compile-toplevel)
  (defmacro both (a b)
    \`(progn ,a ,b)))
`;

const put = (text: string, edit: Edit, dialect: Dialect = 'common-lisp') =>
  applyEdit(read(text, dialect), edit).text;
const form = (type: string, name: string) => ({ type, name });
const replaced = (type: string, name: string, content: string) =>
  put(SHAPES, { ...form(type, name), operation: 'replace', content });

describe('replacing', () => {
  it.each<[string, string, string, string]>([
    ['defmethod', 'area (circle)', '(* pi (expt (radius shape) 2))', 'a method by its specializers'],
    ['defmethod', 'area ((shape circle))', '(* pi (expt (radius shape) 2))', 'a method by its lambda list'],
    ['DEFMETHOD', 'shapes::area :around (t)', '(call-next-method)', 'a method by its qualifier'],
    ['defun', '(setf radius)', "(setf (slot-value shape 'radius) value)", 'a place'],
    ['defun', 'twice[2]', '(* 2 x)', 'the second of several'],
    ['defmacro', 'both', '`(progn ,a ,b)', 'a definition in another form'],
  ])('finds %s %s', (type, name, body) => {
    const result = replaced(type, name, '(new)');
    expect(result).not.toContain(body);
    expect(result).toContain('(new)');
    expect(result.length).toBeLessThan(SHAPES.length);
  });

  it('changes nothing else, what stands before the form neither', () => {
    const content = '(defun twice (x)\n  (* x 2))';
    expect(replaced('defun', 'twice[1]', content)).toBe(SHAPES.replace(/\(defun twice .*"now".*\)/, content));
  });

  it('keeps carriage returns and writes them', () => {
    const text = '(a b)\r\n\r\n(defun f ()\r\n  1)\r\n; λ\r\n';
    const edit = { ...form('defun', 'f'), operation: 'replace', content: '(defun f ()\n  2)\n' } as const;
    expect(put(text, edit)).toBe('(a b)\r\n\r\n(defun f ()\r\n  2)\r\n; λ\r\n');
  });
});

describe('a file without definitions', () => {
  it('has to be written whole', () => {
    const edit = { ...form('defun', 'f'), operation: 'insert_after', content: '(new)' } as const;
    expect(() => put('; nothing\n(print 1)\n', edit)).toThrow(
      /nor any other definition\. Write the whole file/,
    );
  });
});

describe('a name in a file with several packages', () => {
  const text = '(in-package :one)\n(defun f () 1)\n(in-package "two")\n(defun f () 2)\n(defun g () 3)\n';
  const named = (name: string) =>
    put(text, { ...form('defun', name), operation: 'replace', content: '(new)' });

  it('is the one in the package that it tells', () => {
    expect(named('two::f')).toBe(text.replace('(defun f () 2)', '(new)'));
    expect(named('ONE:f')).toBe(text.replace('(defun f () 1)', '(new)'));
    expect(named('elsewhere:g')).toBe(text.replace('(defun g () 3)', '(new)'));
    expect(() => named('three::f')).toThrow(/There are 2 forms/);
    expect(() => named('f')).toThrow(/There are 2 forms/);
  });
});

describe('at the end of a file', () => {
  const last = (
    text: string,
    edit: { operation: 'delete' } | { operation: 'insert_after'; content: string },
  ) => put(text, { ...form('b', 'x'), ...edit });

  it('a form goes with the blank lines before it', () => {
    for (const end of ['', '\n', '\n\n'])
      expect(last(`(a)\n; c\n\n\n(b x)${end}`, { operation: 'delete' })).toBe('(a)\n; c\n');
    expect(last('(a)\r\n\r\n(b x)\r\n', { operation: 'delete' })).toBe('(a)\r\n');
    expect(last('\n(b x)\n', { operation: 'delete' })).toBe('');
  });

  it('a form is added without a blank line behind it', () => {
    const edit = { operation: 'insert_after', content: '(new)' } as const;
    expect(last('(b x)\r\n', edit)).toBe('(b x)\r\n\r\n(new)\r\n');
    expect(last('(b x) ; c\r\n(d)\r\n', edit)).toBe('(b x) ; c\r\n\r\n(new)\r\n(d)\r\n');
    expect(last('(b x)', edit)).toBe('(b x)\n\n(new)');
  });
});

describe('inserting', () => {
  const at = (operation: 'insert_before' | 'insert_after', type: string, name: string) =>
    put(SHAPES, { ...form(type, name), operation, content: '\n(new)\n' });

  it('goes before the comments right above a form', () => {
    expect(at('insert_before', 'defgeneric', 'area')).toBe(SHAPES.replace(';;; What', '(new)\n\n;;; What'));
  });

  it('goes after the comment behind a form', () => {
    expect(at('insert_after', 'defgeneric', 'area')).toBe(SHAPES.replace('metres\n', 'metres\n\n(new)\n'));
  });

  it('keeps the indentation inside another form', () => {
    const after = 'progn ,a ,b))\n  (new))';
    expect(at('insert_after', 'defmacro', 'both')).toBe(SHAPES.replace('progn ,a ,b)))', after));
    expect(at('insert_before', 'defmacro', 'both')).toBe(
      SHAPES.replace('(defmacro both', '(new)\n  (defmacro both'),
    );
  });

  it('goes behind the last form of a text without a newline at its end', () => {
    const edit = { ...form('defun', 'f'), operation: 'insert_after', content: '(g)' } as const;
    expect(put('(defun f ())', edit)).toBe('(defun f ())\n\n(g)');
  });
});

describe('deleting', () => {
  const without = (type: string, name: string) => put(SHAPES, { ...form(type, name), operation: 'delete' });

  it('takes the form, its lines and the blank ones after them', () => {
    const gone = /\(defmethod area \(\(shape circle[\s\S]*?2\)\)\)\n\n/;
    expect(without('defmethod', 'area (circle)')).toBe(SHAPES.replace(gone, ''));
  });

  it('takes the feature that the form depends on', () => {
    expect(without('defun', 'twice[2]')).toBe(SHAPES.replace('#-sbcl\n(defun twice (x) (* 2 x))\n\n', ''));
  });

  it('leaves what is around it in its line', () => {
    expect(without('defmacro', 'both')).toContain('(eval-when (:compile-toplevel))\n');
    expect(put('(def a 1) (def b 2)', { ...form('def', 'b'), operation: 'delete' }, 'clojure')).toBe(
      '(def a 1)',
    );
  });
});

describe('patching', () => {
  const patched = (oldText: string, newText: string, name = 'area (circle)') =>
    put(SHAPES, { ...form('defmethod', name), operation: 'patch', oldText, newText });

  it('replaces what occurs once in the form', () => {
    expect(patched('(radius shape)', '(r shape)')).toBe(SHAPES.replace('(radius shape)', '(r shape)'));
  });

  it('finds newlines that are carriage returns in the file', () => {
    const edit = {
      ...form('defun', 'f'),
      operation: 'patch',
      oldText: '()\n 1',
      newText: '()\n 2\n 3',
    } as const;
    expect(put('(defun f ()\r\n 1)\r\n', edit)).toBe('(defun f ()\r\n 2\r\n 3)\r\n');
  });

  it.each([
    ['shape', 'x', 'old_text occurs 2 times in the form'],
    ['nowhere', 'x', 'old_text does not occur in the form'],
    ['', 'x', 'old_text does not occur in the form'],
    ['2)))', '2))', 'The edit would leave the file unbalanced: The ( at line 6, column 1 is not closed'],
    ['2)))', '2))))', 'add or remove'],
    ['(* pi', '((* pi', 'old_text opens 1 more than it closes, new_text 2.'],
    [
      '(radius shape)',
      '(or\n  (radius shape)',
      'new_text is unbalanced: The ( at line 1, column 1 is not closed',
    ],
    [
      '(radius shape)',
      '(or\n  (radius shape)))',
      'new_text is unbalanced: The ) at line 2, column 18 closes nothing',
    ],
    ['(radius shape)', '(radius shape\n "two)', 'new_text is unbalanced: The string at line 2, column 2'],
  ])('refuses %j for %j', (oldText, newText, message) => {
    const refused = () => patched(oldText, newText);
    expect(refused).toThrow(message === 'add or remove' ? /closes nothing\. Likely fix: remove/ : message);
  });
});

describe('a refusal', () => {
  it.each<[string, Edit, RegExp]>([
    [
      'lists what a name could mean',
      { ...form('defmethod', 'area'), operation: 'delete' },
      /2 forms defmethod area\. Name one of these:\n {2}defmethod area \(circle\) · line 6\n {2}defmethod area :around \(t\) · line 9$/,
    ],
    [
      'counts what is named alike',
      { ...form('defun', 'twice'), operation: 'delete' },
      /defun twice\[1\] · line 16\n {2}defun twice\[2\] · line 18$/,
    ],
    [
      'says what there is of that name',
      { ...form('defun', 'area'), operation: 'delete' },
      /no form defun area at top level\. There are:\n {2}defgeneric area · line 4\n/,
    ],
    [
      'says what is wrong with the content',
      { ...form('defun', 'twice[1]'), operation: 'replace', content: '(defun twice (x)\n  (* 2 x)' },
      /content is incomplete: The \( at line 1, column 1 is not closed\. Likely fix: add `\)` at the end of line 2\.$/,
    ],
    [
      'does not take an empty content for a deletion',
      { ...form('defun', 'twice[1]'), operation: 'replace', content: '; gone' },
      /use delete/,
    ],
    ['does not take a name apart', { ...form('defun', '(a'), operation: 'delete' }, /\(a is not the name/],
  ])('%s', (_, edit, message) => {
    expect(() => put(SHAPES, edit)).toThrow(message);
  });

  it('says what is wrong with the text before it edits anything', () => {
    const edit = { ...form('defun', 'g'), operation: 'delete' } as const;
    expect(() => put('(defun f ()\n  (a)\n\n(defun g ())\n', edit)).toThrow(
      /cannot be edited by form .*Likely fix: add `\)` at the end of line 2\.$/,
    );
  });

  it('is the answer to a comment that would swallow what follows', () => {
    const edit = { ...form('def', 'a'), operation: 'replace', content: '(def a 2) ; two' } as const;
    expect(() => put('(def a 1) (def b 2)', edit, 'clojure')).toThrow(/merge with adjacent text/);
  });
});

describe('Clojure', () => {
  const CORE = `(ns app.core)
(defn ^:private area "Doc." [{:keys [w h]}] (* w h))
(defmethod draw :circle [shape] shape)
(defmethod draw [:a 1] [shape] shape)
#?(:clj (defn host [] 1)
   :cljs (defn host [] 2))
`;
  it.each<[string, string, string]>([
    ['defn', 'area', '(* w h)'],
    ['defmethod', 'draw :circle', ':circle'],
    ['defmethod', 'draw [:a 1]', ':a 1'],
    ['defn', 'host[2]', '[] 2'],
    ['ns', 'app.core', 'app.core'],
  ])('finds %s %s', (type, name, own) => {
    const result = put(CORE, { ...form(type, name), operation: 'replace', content: '(new)' }, 'clojure');
    expect(result).not.toContain(own);
    expect(result).toContain('(new)');
  });
});

describe('a byte order mark', () => {
  const MARK = '\uFEFF';

  it.each<[string, string, Edit]>([
    ['(new)\n\n(b x)\n', 'inserting', { ...form('b', 'x'), operation: 'insert_before', content: '(new)' }],
    ['(new)\n', 'replacing', { ...form('b', 'x'), operation: 'replace', content: `${MARK}(new)` }],
    ['', 'deleting', { ...form('b', 'x'), operation: 'delete' }],
  ])('stays at the start, once: %j after %s', (after, _, edit) => {
    expect(put(`${MARK}(b x)\n`, edit)).toBe(MARK + after);
  });

  it('stays before comments above the first form', () => {
    const edit = { ...form('b', 'x'), operation: 'insert_before', content: '(new)' } as const;
    expect(put(`${MARK}; c\n(b x)\n`, edit)).toBe(`${MARK}(new)\n\n; c\n(b x)\n`);
  });
});
