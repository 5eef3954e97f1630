/** The tools that the ACL2 MCP Bridge got after its document, and the arguments of its own tools. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.over('stdio', 'acl2');
});
afterAll(() => harbor.stop());

const tool = (name: string, args: Record<string, unknown> = {}) => call(client, name, args);

describe('ACL2 MCP Bridge: later tools', () => {
  it('S3-45 says what a theorem rests on: functions, and what its proof used', async () => {
    await tool('admit', {
      code: `(defun glue (x y) (if (consp x) (cons (car x) (glue (cdr x) y)) y))
             (defthm glue-glue (equal (glue (glue x y) z) (glue x (glue y z))))
             (defthm glue-thrice (equal (glue (glue (glue a b) c) d) (glue a (glue b (glue c d)))) :rule-classes nil)`,
    });
    expect((await tool('get_dependencies', { name: 'glue-thrice' })).text).toBe(
      'Dependencies for GLUE-THRICE (theorem):\nCALLS: GLUE EQUAL\nPROOFS USED: GLUE-GLUE',
    );
    expect((await tool('extract_lemmas', { theorem_name: 'glue-thrice' })).text).toBe(
      'Rules for GLUE-THRICE:\n  GLUE-GLUE',
    );
    const graph = (await tool('dependency_graph', { name: 'glue-thrice', depth: '2' })).text;
    expect(graph).toMatch(/^Dependency graph for GLUE-THRICE:\nGLUE-THRICE\n {2}GLUE\n {4}CAR\n/);
    expect(graph).toMatch(/\n {2}GLUE-GLUE\n {4}GLUE …\n/);
    expect((await tool('dependency_graph', { name: 'glue-thrice', depth: 1 })).text).toBe(
      'Dependency graph for GLUE-THRICE:\nGLUE-THRICE\n  GLUE\n  EQUAL\n  GLUE-GLUE',
    );
    expect((await tool('get_dependencies', { name: 'no-such-name' })).text).toMatch(/^unknown_symbol: /);
    await tool('acl2_undo', { name: 'glue' });
  });

  it('S3-46 says what a failed proof asks for', async () => {
    const { text } = await tool('suggest_proofs', {
      conjecture: '(equal (append x nil) x)',
    });
    expect(text).toMatch(
      /^Not provable: The theorem is false for x = 0: [^\n]*\nSuggestions, not proved:\n- hypothesis: .*true-listp/s,
    );
    expect((await tool('suggest_proofs', { conjecture: '(equal (car (cons x y)) x)' })).text).toMatch(
      /^Provable: /,
    );
  });

  it('S3-47 traces a function until it is told to stop', async () => {
    await tool('admit', { code: '(defun halve (x) (floor x 2))' });
    const traced = (action?: string) =>
      tool('trace_execution', { function_name: 'halve', ...(action === undefined ? {} : { action }) });
    expect((await traced()).text).toMatch(/^HALVE is not being traced/);
    expect((await traced('trace')).text).toBe('Now tracing HALVE');
    expect((await traced()).text).toMatch(/^HALVE is being traced/);
    expect((await tool('eval_with_output', { code: '(halve 7)' })).text).toMatch(
      /^3\n\nOutput:\n[\s\S]*HALVE 7\)/,
    );
    expect((await traced('untrace')).text).toBe('Stopped tracing HALVE');
    expect((await tool('eval_with_output', { code: '(halve 7)' })).text).toBe('3');
    await tool('acl2_undo', { name: 'halve' });
  });

  it('S3-48 takes the arguments of the Bridge’s own tools', async () => {
    expect((await tool('acl2_check_provable', { conjecture: '(equal (car (cons x y)) x)' })).isError).toBe(
      false,
    );
    expect((await tool('acl2_check_provable', {})).text).toMatch(/^bad_arguments: Give conjecture/);
    for (const name of ['eval_with_output', 'eval_multiple_values'])
      expect((await tool(name, { code: '(values 1 *package*)', environment: 'cl' })).text).toMatch(
        /^1\n#<PACKAGE /,
      );
    expect((await tool('eval_multiple_values', { code: '(mv 1 2)' })).text).toBe('1\n2');
    expect((await tool('eval_main_thread', { code: '(len (list 1 2))' })).text).toBe('2');
    await tool('eval_cl', { code: '(defun very-own () 1)' });
    expect((await tool('query_cl_package')).text).toContain('VERY-OWN');
    await tool('admit', { code: '(defun one (x) x)' });
    expect((await tool('acl2_undo', { count: '1' })).text).toMatch(
      /^Undone: the last command of the world is \d+\.$/,
    );
    expect((await tool('acl2_include_book', { book_path: 'x', dir: '"/etc"' })).text).toMatch(
      /^bad_arguments: /,
    );
    expect((await tool('acl2_include_book', { book_path: 'nowhere', dir: 'system' })).text).toMatch(
      /write a keyword/,
    );
  });

  it('S3-49 tells events in a few lines, and leaves the prover’s account to the job', async () => {
    const { text } = await tool('admit', { code: '(defthm car-of-cons (equal (car (cons x y)) x))' });
    expect(text).not.toContain('Q.E.D.');
    expect(text.length).toBeLessThan(350);
    const [, job] = /log (job-\d+)/.exec(text) ?? [];
    expect((await tool('job', { job, action: 'output' })).text).toContain('Q.E.D.');
    const failed = (await tool('admit', { code: '(defthm wrong (equal (append x y) (append y x)))' })).text;
    expect(failed).toContain('key checkpoints');
    expect(failed).not.toContain('Perhaps we can prove');
    expect((await tool('admit', { code: '(defun f (x) (no-such-function x))' })).text).toContain(
      'NO-SUCH-FUNCTION',
    );
    await tool('acl2_undo', { name: 'car-of-cons' });
    expect((await tool('eval_cl', { code: '(list 1) (error "on purpose")' })).text).toMatch(
      /^1\. => \(1\)\n\[SIMPLE-ERROR\] on purpose\n\[backtrace\]\n0: [^\n]*\nnote: Form 2 of 2 failed: [^\n]*$/,
    );
  });

  it('calls nothing undone that was not there', async () => {
    await tool('admit', { code: '(defun stays (x) x)' });
    for (const args of [
      { name: 'zork' },
      { name: 'car' },
      { name: 'car', keep_later: true },
      { count: 1_000 },
    ]) {
      const { isError, text } = await tool('acl2_undo', args);
      expect(text).toMatch(/^unknown_symbol: No command of this world|^bad_arguments: The world has/);
      expect(isError).toBe(true);
    }
    expect((await tool('query_event', { name: 'stays' })).isError).toBe(false);
    expect((await tool('acl2_undo', { name: 'stays' })).text).toMatch(/^Undone: /);
    expect((await tool('query_event', { name: 'stays' })).isError).toBe(true);
  });
});
