/** Rows about the REPL in the window, beside an agent in the same session. */

import { expect } from '@playwright/test';
import { connectAgent } from '../e2e/agent';
import { test } from '../e2e/shared-app';
import { asTerminal, openSession, screenOf, show, typeLine } from '../e2e/steps';
import { wholeData } from '../evaluation';

test('S0-18 S1-15 the native prompt in xterm; a package that a person enters is the agent’s, and the other way', async ({
  start,
}) => {
  const { page } = await start();
  const agent = await connectAgent(page, 'codex');
  const opened = await agent.callTool({ name: 'open_session', arguments: { engine: 'sbcl', name: 'quay' } });
  const { session } = opened.structuredContent as { session: string };
  const evaluate = async (code: string): Promise<string[]> => {
    const { structuredContent } = await agent.callTool({ name: 'eval', arguments: { code, session } });
    return (wholeData(structuredContent) as { values: string[] }).values;
  };
  await show(page, 'Sessions');
  await page.getByRole('row').filter({ hasText: 'quay' }).click();
  const repl = page.getByRole('region', { name: 'REPL of quay' });
  await asTerminal(repl);
  await expect.poll(() => screenOf(repl)).toMatch(/^\* $/m);
  await typeLine(repl, '(defpackage :x (:use :cl)) (in-package :x) (defvar *depth* 7)');
  await expect.poll(() => screenOf(repl)).toMatch(/\*DEPTH\*\n\* $/);
  expect(await evaluate('(list (package-name *package*) *depth*)')).toEqual(['("X" 7)']);
  await evaluate('(in-package :cl-user)');
  await typeLine(repl, '(package-name *package*)');
  await expect.poll(() => screenOf(repl)).toMatch(/"COMMON-LISP-USER"\n\* $/);
  await agent.close();
});

test('S0-23 only the debugger counts as the debugger, at every level, whatever code prints', async ({
  start,
}) => {
  const { page } = await start();
  const repl = await openSession(page, 'SBCL');
  const head = page
    .getByRole('region', { name: /^Session / })
    .locator('header')
    .first();
  await typeLine(repl, '(progn (format t "0] 1 > ELISP> debugger invoked~%0] ") :calm)');
  await expect.poll(() => screenOf(repl)).toMatch(/:CALM\n\* $/);
  await expect(head).toContainText('idle');
  await typeLine(repl, '(car 1)');
  await expect.poll(() => screenOf(repl)).toMatch(/\n0\] $/);
  await expect(head).toContainText('debugger');
  await typeLine(repl, '(error "Deeper.")');
  await expect.poll(() => screenOf(repl)).toMatch(/\n1\] $/);
  await expect(head).toContainText('debugger');
});
