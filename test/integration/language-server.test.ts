/** The language server as editors start it, with the protocol’s client, SBCL, ACL2 and nbb. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  CodeAction,
  CodeLens,
  CompletionList,
  Diagnostic,
  DocumentSymbol,
  FoldingRange,
  Hover,
  Location,
  SemanticTokens,
  SignatureHelp,
  TextEdit,
  WorkspaceEdit,
  WorkspaceSymbol,
} from 'vscode-languageserver-protocol/node';
import { LanguageClient } from '../language-client';
import { StartedHarbor } from '../started-harbor';

const PATIENTLY = { timeout: 120_000 };

interface Answer {
  evaluation: number;
  session: string;
  outcome: string;
  forms?: { values: string[] }[];
  text: string;
}

let harbor: StartedHarbor;
let project: string;
let editor: LanguageClient;

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--engine', 'sbcl'] });
  project = harbor.project;
  writeFileSync(path.join(project, 'till.lisp'), TILL);
  editor = await LanguageClient.open({ data: harbor.data, project, name: 'Neovim' });
  await editor.edit('shop.lisp', SHOP);
});
afterAll(async () => {
  await editor.close();
  await harbor.stop();
});

const SHOP = `(defpackage :shop (:use :cl) (:export #:price))
(in-package :shop)

;; 😀 counts two UTF-16 units, so: (price 1)
(defun price (n)
  "The price of N things."
  (* n 3))

(defun taxed (n &optional (rate 2))
  (list "😀" (price n) rate))
`;

const TILL = `(in-package :shop)
(defun total (ns)
  (reduce #'+ (mapcar #'price ns)))
`;

describe('without a session, the reader answers', PATIENTLY, () => {
  it('says so, once', async () => {
    await editor.at('textDocument/hover', 'shop.lisp', '(pr|ice n) rate');
    await editor.said(/No session reads common-lisp/);
  });

  it('definitions, uses and descriptions come from the texts, in UTF-16 units', async () => {
    const [definition] = await editor.at<Location[]>(
      'textDocument/definition',
      'shop.lisp',
      '(pr|ice n) rate',
    );
    expect(definition).toEqual({
      uri: editor.uri('shop.lisp'),
      range: { start: { line: 4, character: 7 }, end: { line: 4, character: 12 } },
    });
    const uses = await editor.at<Location[]>('textDocument/references', 'shop.lisp', '(defun pr|ice', {
      context: { includeDeclaration: false },
    });
    expect(uses).toContainEqual({
      uri: editor.uri('shop.lisp'),
      range: { start: { line: 9, character: 14 }, end: { line: 9, character: 19 } },
    });
    expect(uses.map(({ uri }) => uri)).toContain(editor.uri('till.lisp'));
    const hover = await editor.at<Hover>('textDocument/hover', 'shop.lisp', '(pr|ice n) rate');
    expect(JSON.stringify(hover.contents)).toMatch(/defun price \(n\)[\s\S]*The price of N[\s\S]*source/);
    const help = await editor.at<SignatureHelp>('textDocument/signatureHelp', 'shop.lisp', '(price |n) rate');
    expect(help.signatures[0]?.label).toBe('(price n)');
  });

  it('unsaved text is what counts', async () => {
    await editor.edit('new.lisp', '(in-package :shop)\n(defun discount (n) (- (price n) 1))\n', null);
    await editor.edit('shop.lisp', `${SHOP}(defun sale (n) (disc n))\n`, SHOP);
    const { items } = await editor.at<CompletionList>('textDocument/completion', 'shop.lisp', '(disc| n)');
    expect(items).toMatchObject([{ label: 'discount', detail: '(n)' }]);
    const found = await editor.connection.sendRequest<WorkspaceSymbol[]>('workspace/symbol', { query: 'sa' });
    expect(found.map(({ name }) => name)).toContain('sale');
    await editor.edit('shop.lisp', SHOP);
  });

  it('symbols, folds, tokens, selections and lenses', async () => {
    const symbols = await editor.in<DocumentSymbol[]>('textDocument/documentSymbol', 'shop.lisp');
    expect(symbols.map(({ name, detail }) => `${detail} ${name}`)).toEqual([
      'defpackage shop',
      'defun price',
      'defun taxed',
    ]);
    const folds = await editor.in<FoldingRange[]>('textDocument/foldingRange', 'shop.lisp');
    expect(folds).toContainEqual({ startLine: 4, endLine: 6 });
    const tokens = await editor.in<SemanticTokens>('textDocument/semanticTokens/full', 'shop.lisp');
    expect(tokensIn(tokens, SHOP)).toEqual(
      expect.arrayContaining([
        ['defun', 'keyword'],
        ['price', 'function'],
        [':use', 'property'],
        ['"The price of N things."', 'string'],
        ['3', 'number'],
      ]),
    );
    const [selection] = await editor.in<{ parent: { range: unknown } }[]>(
      'textDocument/selectionRange',
      'shop.lisp',
      { positions: [editor.position('shop.lisp', '(* |n 3)')] },
    );
    expect(selection?.parent.range).toEqual({
      start: { line: 6, character: 2 },
      end: { line: 6, character: 9 },
    });
    const lenses = await editor.in<CodeLens[]>('textDocument/codeLens', 'shop.lisp');
    expect(lenses.map(({ command }) => command?.command)).toEqual([
      'lisp-harbor.load',
      ...Array.from({ length: 4 }, () => 'lisp-harbor.evaluate'),
    ]);
  });

  it('unbalanced text is reported with its fix as an action', async () => {
    const broken = '(defun f (x)\n  (list x)\n\n(defun g (y)\n  y)\n';
    await editor.edit('broken.lisp', broken);
    const [problem] = await editor.diagnostics('broken.lisp', ({ length }) => length > 0);
    expect(problem).toMatchObject({ code: 'delimiters', severity: 1 });
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    const [action] = await editor.in<CodeAction[]>('textDocument/codeAction', 'broken.lisp', {
      ...{ range, context: { diagnostics: [] } },
    });
    const edits = action?.edit?.changes?.[editor.uri('broken.lisp')] ?? [];
    const mended = withEdits(broken, edits);
    expect(mended).toBe('(defun f (x)\n  (list x))\n\n(defun g (y)\n  y)\n');
    await editor.edit('broken.lisp', mended);
    await editor.diagnostics('broken.lisp', ({ length }) => length === 0);
  });

  it('formats, and changes only lines that differ', async () => {
    const written = '(defun f (x)\n      (list x\n x))\n(defun g () 1)\n';
    await editor.edit('indent.lisp', written);
    const edits = await editor.in<TextEdit[]>('textDocument/formatting', 'indent.lisp', {
      options: { tabSize: 2, insertSpaces: true },
    });
    expect(edits).toHaveLength(2);
    expect(withEdits(written, edits)).toBe('(defun f (x)\n  (list x\n        x))\n(defun g () 1)\n');
  });

  it('renames a symbol in all texts of the project, also unsaved ones, and writes nothing', async () => {
    await editor.edit('new.lisp', '(in-package :shop)\n(defun discount (n) (- (price n) 1))\n', null);
    const { changes = {} } = await editor.at<WorkspaceEdit>(
      'textDocument/rename',
      'shop.lisp',
      '(pr|ice n) rate',
      {
        newName: 'cost',
      },
    );
    expect(withEdits(TILL, changes[editor.uri('till.lisp')] ?? [])).toContain("(mapcar #'cost ns)");
    expect(withEdits(SHOP, changes[editor.uri('shop.lisp')] ?? [])).toMatch(
      /#:cost[\s\S]*defun cost[\s\S]*\(cost n\) rate/,
    );
    expect(readFileSync(path.join(project, 'till.lisp'), 'utf8')).toBe(TILL);
    await expect(
      editor.at('textDocument/rename', 'shop.lisp', '(pr|ice n) rate', { newName: 'taxed' }),
    ).rejects.toThrow(/taxed/);
  });
});

describe('with SBCL', PATIENTLY, () => {
  it('loads a file; the notes of the compiler stay with their unchanged form', async () => {
    await editor.edit('notes.lisp', '(in-package :shop)\n(defun bad (n)\n  (undefined-thing n))\n');
    await editor.command('lisp-harbor.load', editor.uri('shop.lisp'));
    const loaded = await editor.command<Answer>('lisp-harbor.load', editor.uri('notes.lisp'));
    expect(loaded).toMatchObject({ outcome: 'ok', session: expect.stringMatching(/^sbcl-/) });
    const isNoted = (diagnostics: readonly Diagnostic[]) =>
      diagnostics.some(({ message }) => /UNDEFINED-THING/.test(String(message)));
    const [noted] = await editor.diagnostics('notes.lisp', isNoted);
    expect(noted?.range.start).toEqual({ line: 2, character: 2 });
    await editor.edit('notes.lisp', '(in-package :shop)\n\n\n(defun bad (n)\n  (undefined-thing n))\n');
    const [moved] = await editor.diagnostics('notes.lisp', (all) => all[0]?.range.start.line === 4);
    expect(moved?.message).toMatch(/UNDEFINED-THING/);
    await editor.edit('notes.lisp', '(in-package :shop)\n(defun bad (n) n)\n');
    await editor.diagnostics('notes.lisp', (all) => !isNoted(all));
  });

  it('evaluates the form at a place, unsaved as it is, in the package of the file, under the editor’s name', async () => {
    await editor.edit('try.lisp', '(in-package :shop)\n(list (price 14)\n      *package*)\n', '');
    const answer = await editor.command<Answer>(
      'lisp-harbor.evaluate',
      editor.uri('try.lisp'),
      editor.position('try.lisp', '*pack|age*'),
    );
    expect(answer.forms).toEqual([{ values: ['(42 #<PACKAGE "SHOP">)'] }]);
    await editor.said(/=> \(42/);
    const agent = await harbor.client();
    const { structuredContent } = await agent.callTool({
      name: 'history',
      arguments: { id: answer.evaluation },
    });
    expect(structuredContent).toMatchObject({ evaluation: { client: 'neovim', outcome: 'ok' } });
  });

  it('the image answers: completion, description, signatures', async () => {
    await editor.edit('ask.lisp', '(in-package :shop)\n(mapca x)\n(find-if |x y)\n'.replace('|', ''));
    const { items } = await editor.at<CompletionList>('textDocument/completion', 'ask.lisp', '(mapca| x)');
    expect(items).toContainEqual(expect.objectContaining({ label: 'mapcar' }));
    const help = await editor.at<SignatureHelp>('textDocument/signatureHelp', 'ask.lisp', '(find-if x |y)');
    expect(help.signatures[0]?.label).toMatch(/^\(find-if PREDICATE SEQUENCE/i);
    expect(help.activeParameter).toBe(1);
    const hover = await editor.at<Hover>('textDocument/hover', 'ask.lisp', '(find-|if');
    expect(JSON.stringify(hover.contents)).toMatch(/function/i);
  });

  it('an error is shown at its form; a long evaluation is interrupted', async () => {
    await editor.edit('fails.lisp', '(in-package :shop)\n(defvar *ok* 1)\n(error "on ~a" :purpose)\n');
    const place = editor.position('fails.lisp', '(err|or');
    const failed = await editor.command<Answer>('lisp-harbor.evaluate', editor.uri('fails.lisp'), place);
    expect(failed.outcome).toBe('error');
    const [shown] = await editor.diagnostics('fails.lisp', ({ length }) => length > 0);
    expect(shown).toMatchObject({ severity: 1, message: expect.stringMatching(/PURPOSE/) });
    await editor.edit('loops.lisp', '(progn (print :began) (finish-output) (loop))');
    const looping = editor.command<Answer>('lisp-harbor.evaluate', editor.uri('loops.lisp'), {
      ...{ line: 0, character: 1 },
    });
    await editor.said(/BEGAN/);
    expect(await editor.command('lisp-harbor.interrupt')).toEqual({ interrupted: 1 });
    expect((await looping).outcome).toBe('interrupted');
  });

  it('what an agent loads is noted as well, and its session is the one that answers', async () => {
    const agent = await harbor.client();
    await agent.callTool({ name: 'open_session', arguments: {} });
    const second = await LanguageClient.open({ data: harbor.data, project: harbor.project, name: 'Helix' });
    await second.edit('agent.lisp', '(defun of-agent () (no-such-function))\n');
    await second.at('textDocument/hover', 'agent.lisp', '(defun of|-agent');
    await second.said(/Session sbcl-\w+ \(sbcl\) answers/);
    await agent.callTool({ name: 'load', arguments: { path: 'agent.lisp' } });
    await second.diagnostics('agent.lisp', (all) =>
      all.some(({ message }) => /NO-SUCH-FUNCTION/.test(String(message))),
    );
    await second.close();
  });

  it('a file that is not saved is not loaded', async () => {
    await editor.edit('unsaved.lisp', '(defvar *new* 2)', '(defvar *old* 1)');
    await expect(editor.command('lisp-harbor.load', editor.uri('unsaved.lisp'))).rejects.toThrow(/Save/);
  });
});

describe('with ACL2', PATIENTLY, () => {
  it('a failed event is shown at its place; names of the world are known', async () => {
    const book = `(in-package "ACL2")
(defun app (x y)
  (if (consp x) (cons (car x) (app (cdr x) y)) y))
(defthm wrong
  (equal (app x y) (app y x)))
`;
    await editor.edit('app.lisp', book);
    const loaded = await editor.command<Answer>('lisp-harbor.load', editor.uri('app.lisp'));
    expect(loaded).toMatchObject({ outcome: 'error', session: expect.stringMatching(/^acl2-/) });
    const [failed] = await editor.diagnostics('app.lisp', ({ length }) => length > 0);
    expect(failed).toMatchObject({ severity: 1, range: { start: { line: 3, character: 0 } } });
    const [place] = await editor.at<Location[]>('textDocument/definition', 'app.lisp', '(equal (a|pp x y)');
    expect(place).toMatchObject({ uri: editor.uri('app.lisp'), range: { start: { line: 1 } } });
    const hover = await editor.at<Hover>('textDocument/hover', 'app.lisp', '(equal (a|pp x y)');
    expect(JSON.stringify(hover.contents)).toMatch(/DEFUN APP/i);
    const proved = await editor.command<Answer>(
      'lisp-harbor.evaluate',
      editor.uri('app.lisp'),
      editor.position('app.lisp', '(defun a|pp'),
    );
    expect(proved.outcome).toBe('ok');
  });
});

function tokensIn({ data }: SemanticTokens, text: string): [string, string][] {
  const types = editor.initialized?.capabilities.semanticTokensProvider?.legend.tokenTypes ?? [];
  const lines = text.split('\n');
  let [line, character] = [0, 0];
  return Array.from({ length: data.length / 5 }, (_, index): [string, string] => {
    const [lines_, chars = 0, length = 0, type = 0] = data.slice(index * 5);
    character = lines_ === 0 ? character + chars : chars;
    line += lines_ ?? 0;
    return [lines[line]?.slice(character, character + length) ?? '', types[type] ?? ''];
  });
}

function withEdits(text: string, edits: readonly TextEdit[]): string {
  const starts = [0];
  for (const [index, character] of [...text].entries()) if (character === '\n') starts.push(index + 1);
  const lineStart = (line: number) =>
    text.split('\n').slice(0, line).join('\n').length + (line === 0 ? 0 : 1);
  const offset = ({ line, character }: TextEdit['range']['start']) => lineStart(line) + character;
  return edits
    .toSorted((one, other) => offset(other.range.start) - offset(one.range.start))
    .reduce(
      (whole, { range, newText }) =>
        whole.slice(0, offset(range.start)) + newText + whole.slice(offset(range.end)),
      text,
    );
}
