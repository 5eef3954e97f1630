/** What `describe` runs: nothing for clients that may only read, and nothing while it reads a form. */
import { expect, it } from 'vitest';
import { OUR_NAMES } from '../../electron/contract/mention';
import type { Scope } from '../../electron/contract/model';
import { ConversationState, TurnDeadlines } from '../../electron/tools/conversation-state';
import { describeTool } from '../../electron/tools/knowledge/describe-tool';

import type { Caller } from '../../electron/tools/tool';
import { evaluate, sessionsFixture } from './sessions-fixture';

it('evaluates nothing while it reads the form that it expands', async () => {
  const { sessions, history, project, open } = sessionsFixture();
  const session = await open();
  await evaluate(session, '(defvar *ran* 0)').settled;
  const tool = describeTool({ sessions, history, ownOnly: () => false, softLimitMs: () => 45_000 });
  const caller: Caller = {
    client: { key: 'tester', scopes: new Set<Scope>(['read', 'evaluate']) },
    profileChosen: true,
    ...{ grant: null, tool: 'describe', project, engine: undefined, signal: new AbortController().signal },
    conversation: new ConversationState(),
    deadlines: new TurnDeadlines(),
    names: OUR_NAMES,
    defaultSession: async () => ({ session, notes: [] }),
    workIn: () => project,
  };
  await expect(tool.run({ form: '(or #.(incf *ran*) 2)' }, caller)).rejects.toMatchObject({
    code: 'bad_arguments',
    message: expect.stringContaining('#. is not allowed'),
  });
  const { forms } = await evaluate(session, '*ran*').settled;
  expect(forms[0]?.values).toEqual(['0']);
});

it('describes a macro to them, and refuses to expand a form', async () => {
  const { sessions, history, project, open } = sessionsFixture();
  const session = await open();
  const { outcome } = await evaluate(session, '(defvar *ran* 0) (defmacro run () (incf *ran*))').settled;
  expect(outcome).toBe('ok');
  const tool = describeTool({ sessions, history, ownOnly: () => false, softLimitMs: () => 45_000 });
  const caller: Caller = {
    client: { key: 'tester', scopes: new Set<Scope>(['read']) },
    grant: null,
    tool: 'describe',
    project,
    profileChosen: true,
    engine: undefined,
    signal: new AbortController().signal,
    conversation: new ConversationState(),
    deadlines: new TurnDeadlines(),
    names: OUR_NAMES,
    defaultSession: async () => ({ session, notes: [] }),
    workIn: () => project,
  };
  expect((await tool.run({ symbol: 'run' }, caller)).text).toContain('macro RUN ()');
  await expect(tool.run({ form: '(run)' }, caller)).rejects.toMatchObject({ code: 'scope_missing' });
  const { forms } = await evaluate(session, '*ran*').settled;
  expect(forms[0]?.values).toEqual(['0']);
});
