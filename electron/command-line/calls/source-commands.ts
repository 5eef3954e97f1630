/** Commands about source and names: `find`, `describe`, `edit`. */
import { flag, value } from '../../host/option-row';
import { argumentsIn } from './call-command';
import { IN_SESSION, Misuse, type ToolCommand } from './tool-command';

/** That of a lemma: no name begins so but those of SETF functions. */
const PATTERN = /^\((?!setf\s)/i;

export const find: ToolCommand = {
  takes: 'QUERY',
  about: 'finds where a name is defined, who calls it, names by part, or text, in the image and in files',
  words: [1, 1],
  options: {
    ...IN_SESSION,
    kind: value(
      'KIND',
      'definition (default), reference, caller, apropos, completion, unsaved, text; of ACL2 documentation and lemma (default for a query in parentheses)',
    ),
    path: value('FILE', 'this file or folder instead of the image'),
    package: value('NAME', 'where the name is looked up'),
    limit: value('N', 'results, at most'),
  },
  asks(given) {
    const path = given.text('path');
    const [query = ''] = given.words;
    const args = {
      query,
      kind: given.text('kind') ?? (path === undefined && PATTERN.test(query) ? 'lemma' : 'definition'),
      path: path === undefined ? undefined : given.file(path),
      package: given.text('package'),
      limit: given.number('limit'),
    };
    return { tool: 'find', arguments: args };
  },
};

export const describe: ToolCommand = {
  takes: 'SYMBOL',
  about: 'all that a symbol or package stands for: arglist, documentation, file and line, methods, slots',
  words: [1, 1],
  options: { ...IN_SESSION, package: value('NAME', 'where the symbol is looked up') },
  asks: (given) => ({
    tool: 'describe',
    arguments: { symbol: given.words[0], package: given.text('package') },
  }),
};

/** Operations that need a form, which is read from stdin unless it is an option. */
const WITH_CONTENT = /^(?:replace|create|insert_(?:before|after))$/;

export const edit: ToolCommand = {
  takes: 'FILE OPERATION [FORM_TYPE FORM_NAME] | -',
  about: 'edits one top-level form of a Lisp file, found by type and name; all else keeps its bytes',
  words: [1, 4],
  options: {
    content: value('TEXT', 'the new form, or forms (default: stdin)'),
    old: value('TEXT', 'with patch: text that occurs once in the form, and'),
    new: value('TEXT', '  what takes its place'),
    index: value('N', 'which one, of several forms of that name'),
    hash: value('HASH', 'only if the file still has it'),
    'dry-run': flag('show the change and write nothing'),
  },
  more: [
    'OPERATION is replace, insert_before, insert_after, delete or patch.',
    'lisp-harbor edit shop.lisp replace defun price < new-form.lisp',
    "lisp-harbor edit shop.lisp patch defmethod 'area (circle)' --old pi --new +pi+",
    'With - all that the tool edit_form takes is read from stdin, as JSON with paths below the project.',
  ],
  async asks(given) {
    const [name = '', operation, type, form] = given.words;
    if (name === '-' && operation === undefined)
      return { tool: 'edit_form', arguments: argumentsIn(await given.stdin(), 'stdin') };
    if (operation === undefined)
      throw new Misuse('An edit names a file and an operation, such as: shop.lisp delete defun price.');
    const content = given.text('content');
    const args = {
      path: given.file(name),
      operation,
      form_type: type,
      form_name: form,
      content: content ?? (WITH_CONTENT.test(operation) ? await given.stdin() : undefined),
      old_text: given.text('old'),
      new_text: given.text('new'),
      index: given.number('index'),
      expected_hash: given.text('hash'),
      dry_run: given.isSet('dry-run'),
    };
    return { tool: 'edit_form', arguments: args };
  },
};
