/** What an agent gets of warnings, input and odd characters, through the tools of a started harbor. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, evaluate, values } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
});
afterAll(() => harbor.stop());

it('tells severities, sources and definitions of warnings, in data and in text', async () => {
  const code = '(defun f (x) (declare (optimize speed)) (helper (the fixnum (+ x 1))))';
  const { structured, text, isError } = await evaluate(client, code);
  expect(isError).toBe(false);
  const severities = new Set(structured.warnings.map(({ severity }) => severity));
  expect(severities).toEqual(new Set(['note', 'style-warning']));
  expect(text).toContain('STYLE-WARNING: undefined function: COMMON-LISP-USER::HELPER in DEFUN F\n');
  expect(structured.warnings.at(-1)).toMatchObject({ source: '(HELPER (THE FIXNUM (+ X 1)))' });
  expect(text).toContain('=> F');
});

it('pages warnings with the output, in the order they came', async () => {
  const { structured } = await evaluate(client, '(progn (princ "before") (warn "careful") (princ "after"))');
  expect(structured.stdout).toBe('beforeafter');
  const job = await call<{ output: string }>(client, 'job', {
    job: `job-${structured.id}`,
    action: 'output',
  });
  expect(job.structured.output).toBe('before\n; WARNING: careful\nafter');
});

it('refuses input at once and says how to give it', async () => {
  const { structured, text, isError } = await evaluate(client, '(read-line)');
  expect(isError).toBe(true);
  expect(structured.condition?.type).toBe('END-OF-FILE');
  expect(text).toContain('(with-input-from-string (*standard-input* "…") …)');
  expect(
    await values(client, '(with-input-from-string (*standard-input* "given") (values (read-line)))'),
  ).toEqual(['"given"']);
});

it('carries every character both ways; half ones, which JSON cannot hold, come back as escapes', async () => {
  const code =
    "(values (map 'list #'char-code \"a\ud800😀\") (map 'string #'code-char (list #xDC00 0 #x1F600)))";
  expect(await values(client, code)).toEqual(['(97 55296 128512)', '"\\udc00\u0000😀"']);
});

it('survives output that is no text: what has no character is shown as U+FFFD', async () => {
  const code = `(progn (write-char (code-char 0)) (write-char (code-char #xD800)) (write-char (code-char 955))
    (sb-ext:run-program "/bin/sh" '("-c" "printf '\\\\377'") :output *standard-output*) nil)`;
  expect((await evaluate(client, code)).structured.stdout).toBe('\u0000\\ud800λ\ufffd');
});

it('keeps a printer variable that is set at top level, and says when one is not kept', async () => {
  await evaluate(client, '(setf *print-base* 16)');
  expect(await values(client, '255')).toEqual(['FF']);
  const { structured } = await evaluate(
    client,
    '(progn (setf *print-base* 10)) (funcall (lambda () (setf *print-length* 1)))',
  );
  expect(structured.notes.join('\n')).toContain('*PRINT-LENGTH* held for this evaluation only');
  expect(await values(client, "'(1 255)")).toEqual(['(1 255)']);
});
