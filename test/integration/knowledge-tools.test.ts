/** `inspect`, `describe` and `find` as clients use them: handles, recorded evaluations, errors that say what to do. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import { PATIENT, type StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

interface Inspected {
  session: string;
  handle: string;
  text: string;
  parts: { name: string; text?: string; handle?: string; settable?: boolean }[];
  total: number;
  next_offset: number | null;
  evaluation?: { id: number; outcome: string; condition?: { type: string } };
}

const inspect = (args: object) => call<Inspected>(client, 'inspect', { ...args });

const open = async (engine: string) =>
  (await call<{ session: string }>(client, 'open_session', { engine })).structured.session;

interface Row {
  kind?: string;
  code: string;
}

const rows = async (query: string) =>
  (await call<{ rows: Row[] }>(client, 'history', { query, limit: 5, mine: true })).structured.rows;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
});
afterAll(() => harbor.stop());

describe('inspect', () => {
  it('evaluates code as any other evaluation, and pages with a handle', async () => {
    const first = await inspect({ code: '(loop for i below 120 collect i)' });
    expect(first.structured).toMatchObject({ total: 120, next_offset: 50 });
    expect(first.text).toContain('50 of 120 parts, more with offset 50');
    const { handle } = first.structured;
    const last = await inspect({ handle, offset: 100 });
    expect(last.structured.parts.map(({ name }) => name)).toEqual(
      Array.from({ length: 20 }, (_, index) => String(100 + index)),
    );
    expect(last.structured.next_offset).toBeNull();
    expect(await rows('below 120')).toMatchObject([{ code: '(loop for i below 120 collect i)' }]);
  });

  it('sets a part, on record, and shows what holds it', async () => {
    const { handle } = (
      await inspect({ code: "(defclass spot () (x y)) (let ((s (make-instance 'spot))) (list s s))" })
    ).structured;
    const spot = (await inspect({ handle, path: [0] })).structured.handle;
    const set = await inspect({ handle, path: [0, 'x'], set: '(list 6 7)' });
    expect(set.structured).toMatchObject({
      handle: spot,
      parts: [{ name: 'X', text: '(6 7)' }, { name: 'Y' }],
    });
    const [row] = await rows('lisp-harbor:part');
    expect(row?.code).toContain('(list 6 7)');
    const both = await inspect({ handle });
    expect(both.structured.parts.map((part) => part.handle)).toEqual([spot, spot]);
  });

  it('answers with the whole record when its code fails', async () => {
    const { isError, text, structured } = await inspect({ code: '(error "on purpose")' });
    expect(isError).toBe(true);
    expect(text).toContain('on purpose');
    expect(structured.evaluation).toMatchObject({ outcome: 'error', condition: { type: 'SIMPLE-ERROR' } });
  });

  it('says what is wrong with its arguments', async () => {
    const refusals: [object, RegExp][] = [
      [{ handle: '#o1', code: '1' }, /^bad_arguments: .*not both/],
      [{ handle: 'o1' }, /^bad_arguments: .*#o12/],
      [{ handle: '#o999' }, /^unknown_handle: /],
      [{ code: '(list 1)', path: [7] }, /^unknown_part: There is no part 7: this list has 1\./],
      [{ handle: '#o1', set: '1' }, /^bad_arguments: .*path/],
    ];
    for (const [args, message] of refusals) {
      const { isError, text } = await inspect(args);
      expect(isError).toBe(true);
      expect(text).toMatch(message);
    }
  });

  it('lets handles die with the image, and says so', async () => {
    const session = await open('sbcl');
    const { handle } = (await inspect({ code: '(list 1)', session })).structured;
    await evaluate(client, '(sb-ext:exit :code 3 :abort t)', { session });
    const lost = await inspect({ handle, session });
    expect(lost.text).toMatch(/^image_lost: .*code 3/);
    await evaluate(client, '1', { session });
    expect((await inspect({ handle, session })).text).toMatch(/^unknown_handle: .*generation is 2/);
    const fresh = (await inspect({ code: '(list 2)', session })).structured.handle;
    expect(fresh).not.toBe(handle);
    expect((await inspect({ handle: fresh, session })).structured.text).toBe('(2)');
  });
});

describe('describe', () => {
  it('expands a form, on record', async () => {
    await evaluate(client, '(defmacro twice (form) `(list ,form ,form))');
    const once = await call<{ expansion: string }>(client, 'describe', { form: '(twice (when a b))' });
    expect(once.structured.expansion).toBe('(LIST (WHEN A B) (WHEN A B))');
    const full = await call<{ expansion: string }>(client, 'describe', {
      form: '(twice (when a b)) ; with a remark',
      expand: 'full',
    });
    expect(full.structured.expansion.replace(/\s+/g, ' ')).toBe('(LIST (IF A B) (IF A B))');
    expect(await rows('macroexpand')).toHaveLength(2);
  });

  it('answers while an evaluation runs', async () => {
    const session = await open('sbcl');
    const made = await call<{ handle: string }>(client, 'inspect', { session, code: '(list 1 2)' });
    const { handle } = made.structured;
    const running = evaluate(client, '(defvar *stop* nil) (loop until *stop*)', { session, wait_ms: 0 });
    const { structured } = await running;
    const described = () => call(client, 'describe', { symbol: '*stop*', session });
    await expect.poll(async () => (await described()).isError, PATIENT).toBe(false);
    expect((await described()).text).toContain('value: NIL');
    const kept = await call(client, 'inspect', { session, handle });
    expect(kept.text).toContain('(1 2)');
    await call(client, 'job', { job: structured.job, action: 'cancel' });
  });

  it('what waits for its turn is looked into when its job has ended', async () => {
    const session = await open('sbcl');
    const { job: endless } = (await evaluate(client, '(loop (sleep 0.1))', { session, wait_ms: 0 }))
      .structured;
    const queued = await call<{ evaluation: { job: string } }>(client, 'inspect', {
      session,
      code: '(list 1 :two)',
    });
    const { job } = queued.structured.evaluation;
    expect(queued.text).toContain(`When it has ended, \`inspect\` with handle ${job} shows its value.`);
    const early = await call(client, 'inspect', { session, handle: job });
    expect(early.text).toMatch(new RegExp(`^busy: ${job} has not ended`));
    await call(client, 'job', { job: endless, action: 'cancel' });
    await call(client, 'job', { job });
    await evaluate(client, '(list :another)', { session });
    const late = await call<{ parts: { text: string }[] }>(client, 'inspect', { session, handle: job });
    expect(late.structured.parts.map(({ text }) => text)).toEqual(['1', ':TWO']);
    const { id } = (await evaluate(client, '5', { session })).structured;
    const other = await call(client, 'inspect', { session, handle: `job-${id}` });
    expect(other.text).toMatch(/^unknown_handle/);
  });

  it('shows every fact as text too', async () => {
    await evaluate(
      client,
      '(defclass pair () ((left :initarg :left :documentation "L."))) (defgeneric go-on (x) (:method ((x pair)) x))',
    );
    const { text } = await call(client, 'describe', { symbol: 'pair' });
    expect(text).toContain('slot LEFT · initarg :LEFT · L.');
    expect((await call(client, 'describe', { symbol: 'go-on' })).text).toMatch(
      /\(METHOD GO-ON \(PAIR\)\) · evaluation \d+, line 1/,
    );
    expect((await call(client, 'describe', { symbol: 'go-on', disassemble: true })).text).toContain(
      '[disassembly]',
    );
  });
});

describe('find', () => {
  it('tells the line in the code of an evaluation', async () => {
    const { structured } = await evaluate(client, '; λ😀\n\n(defun in-history () 1)');
    const found = await call<{ results: { source: object }[] }>(client, 'find', {
      kind: 'definition',
      query: 'in-history',
    });
    expect(found.structured.results[0]?.source).toEqual({ evaluation: structured.id, line: 3 });
    expect(found.text).toContain(`evaluation ${structured.id}, line 3`);
  });

  it('counts the rest', async () => {
    const { text, structured } = await call<{ total: number }>(client, 'find', {
      kind: 'apropos',
      query: 'map',
      limit: 2,
    });
    expect(text).toContain(`${structured.total - 2} more`);
  });

  it('is not for engines that cannot, and says what they can', async () => {
    const session = await open('nbb');
    for (const [name, args] of [
      ['debug', { action: 'show' }],
      ['find', { kind: 'caller', query: 'map' }],
    ] as const) {
      const { isError, text } = await call(client, name, { ...args, session });
      expect(isError).toBe(true);
      expect(text).toMatch(name === 'find' ? /^not_supported: nbb / : /^not_supported: .*nbb.*`eval`/);
    }
    const described = await call(client, 'describe', { symbol: 'map', session });
    expect(described.text).toContain('function clojure.core/map ([f] [f coll]');
  });
});

const SHOP = {
  'shop.asd': `(defsystem "shop" :components ((:file "shop")))`,
  'shop.lisp': `(defpackage :shop (:use :cl) (:export #:price #:with-price #:*tax* #:refund))
(in-package :shop)
(defvar *tax* 1/5)
(defun price (each count) (* each count))
(defmacro with-price ((name) &body body) \`(let ((,name (price 1 2))) ,@body))
(defun twice (each)
  (let ((other 2))
    (price each other)))
(defun bound () (with-price (p) p))
`,
  'later.lisp': '(in-package :shop)\n(defun later () (price 3 4))\n',
  'other.lisp':
    '(in-package :cl-user)\n(defun price (x) x)\n(defun own () (price 1) (shop:price 1 2))\n(defun mine () (price 1))\n',
  'cart.clj': '(ns cart)\n(defn total [x] (price x))\n',
};

describe('a system of the project', () => {
  beforeAll(async () => {
    for (const [name, text] of Object.entries(SHOP)) writeFileSync(path.join(harbor.project, name), text);
    await call(client, 'load', { system: 'shop' });
    await evaluate(client, '(defun shop::typed () (shop:price 5 6))');
  });

  interface Found {
    results: { kind: string; text: string; form?: string; source: { path?: string; line?: number } }[];
    total: number;
  }

  const uses = (kind: string, query: string) => call<Found>(client, 'find', { kind, query });

  it('says who uses a name, loaded or not, and each place once', async () => {
    const { structured, text } = await uses('reference', 'shop:price');
    expect(structured.results.map(({ source, form }) => [source.path, source.line, form])).toEqual([
      ['later.lisp', 2, 'defun later'],
      ['other.lisp', 3, 'defun own'],
      ['shop.lisp', 5, 'defmacro with-price'],
      ['shop.lisp', 8, 'defun twice'],
      ['shop.lisp', 9, undefined],
      [undefined, 1, undefined],
    ]);
    expect(text).toContain('shop.lisp:8 in defun twice: (price each other)))');
    expect(text).toMatch(/evaluation \d+, line 1 calls SHOP::TYPED/);
    expect(structured.total).toBe(6);
    expect(text.length).toBeLessThan(400);
    const callers = await uses('caller', 'shop:price');
    expect(callers.structured.total).toBe(6);
  });

  it('says who expands a macro, and who uses a variable', async () => {
    const macro = await uses('reference', 'shop:with-price');
    expect(macro.structured.results).toMatchObject([
      { kind: 'macroexpands', form: 'defun bound', source: { path: 'shop.lisp', line: 9 } },
    ]);
    expect((await uses('reference', 'shop:*tax*')).text).toBe('Nothing found.');
  });

  it('describes what its package exports, and what of that is undefined', async () => {
    const { structured, text } = await call(client, 'describe', { symbol: 'shop' });
    expect(text).toBe(`package SHOP · shop.lisp:1
uses: COMMON-LISP
4 external symbols
undefined: REFUND
variable: *TAX*
function: PRICE (EACH COUNT)
macro: WITH-PRICE ((NAME) &BODY BODY)`);
    expect(structured.definitions).toMatchObject([
      { externals: 4, names: expect.arrayContaining([{ name: 'REFUND' }]) },
    ]);
    const large = await call(client, 'describe', { symbol: 'cl' });
    expect(large.text.length).toBeLessThan(4_500);
    expect(large.text).toMatch(
      /… \d+ more: `find` with kind apropos, query "", package COMMON-LISP, external: true, limit: 978$/m,
    );
    const all = { kind: 'apropos', query: '', package: 'SHOP', external: true, limit: 4 };
    expect((await call<Found>(client, 'find', all)).structured.total).toBe(3);
  });
});

it('closing a session says what was in no file', async () => {
  const session = await open('sbcl');
  expect((await evaluate(client, '(defun only-here () 1) (defvar *only* 2)', { session })).isError).toBe(
    false,
  );
  const { text } = await call(client, 'close_session', { session });
  expect(text).toContain('in no file: ONLY-HERE (function), *ONLY* (variable)');
});
