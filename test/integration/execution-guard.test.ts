/** Whatever runs code in an image passes the execution guard, not evaluations alone: with a real SBCL and rules. */

import { beforeAll, describe, expect, it } from 'vitest';
import { Approvals } from '../../electron/access/approvals';
import type { ApprovalAnswer, ApprovalQuestion } from '../../electron/contract/approvals';
import type { Scope } from '../../electron/contract/model';
import { Listener } from '../../electron/sessions/listener';
import type { Session } from '../../electron/sessions/session/session';
import { PATIENT } from '../started-harbor';
import { evaluate, pidOf, type SessionsFixture, sessionsFixture } from './sessions-fixture';

let answer: ApprovalAnswer = 'allow';
const approvals = new Approvals({
  rules: () => [
    { client: null, class: 'evaluate', answer },
    { client: null, class: 'load', answer },
  ],
  addRule: () => undefined,
  isAttended: () => true,
});
let fixture: SessionsFixture;
let session: Session;

beforeAll(async () => {
  let giveBack = async () => {};
  fixture = sessionsFixture({ instead: { guard: approvals.guard } }, (give) => {
    giveBack = give;
  });
  session = await fixture.open();
  return () => giveBack();
});

/** Does `work` while a person lets nobody evaluate, by rule and by pause. */
async function shut(work: (code: string) => Promise<unknown>): Promise<void> {
  for (const code of ['not_approved', 'paused'] as const) {
    answer = code === 'not_approved' ? 'deny' : 'allow';
    approvals.pause(code === 'paused');
    await work(code).finally(() => {
      answer = 'allow';
      approvals.pause(false);
    });
  }
}

const values = async (code: string) => (await evaluate(session, code).settled).forms.at(-1)?.values;

const load = { client: 'tester', grant: null, kind: 'load', code: ':fresh' } as const;
const requester = { client: { key: 'tester', scopes: new Set<Scope>() }, grant: null };
const act = { client: 'tester', grant: null, tool: 'debug', code: 'step over' };

describe('a session whose guard refuses', () => {
  it('keeps its image, and what runs there, when it is to begin anew', async () => {
    await values('(defvar *kept* 7)');
    const running = evaluate(session, '(loop until (boundp (quote *go*)))');
    await expect.poll(() => session.state, PATIENT).toBe('running');
    await shut(async (code) => {
      await expect(session.reset(load, [])).rejects.toMatchObject({ code });
      await expect(session.startAgain({ client: 'tester', grant: null }, 'a test')).rejects.toMatchObject({
        code,
      });
    });
    expect(session.state).toBe('running');
    expect(await session.cancel(running)).toBe(true);
    expect(await values('*kept*')).toEqual(['7']);
    expect(session.generation).toBe(1);
  });

  it('lets nothing that is held go on, but be looked at and given up', async () => {
    const held = session.evaluate({
      client: 'tester',
      grant: null,
      kind: 'eval',
      code: '(defvar *ran* 0) (restart-case (error "x") (go-on () (incf *ran*)))',
      onError: 'debug',
    });
    await expect.poll(() => held.condition?.message, PATIENT).toBe('x');
    await shut(async (code) => {
      await expect(session.debuggerFor(act)).rejects.toMatchObject({ code });
      await expect(session.abilityFor(act, 'debugger')).rejects.toMatchObject({ code });
      expect((await session.debugger('tester').show({ offset: 0, limit: 1 })).frames).toHaveLength(1);
      const typed = new Listener(session, fixture.sessions.events, 'tester');
      await typed.submit('0');
      expect(typed.transcript).toMatch(/; .*(user rule|has paused all agents)/);
      typed.end();
    });
    approvals.pause(true);
    await session.debugger('tester').abort(0);
    approvals.pause(false);
    await held.settled;
    expect(await values('*ran*')).toEqual(['0']);
  });

  it('is not saved, nor copied', async () => {
    await shut(async (code) => {
      const saving = fixture.checkpoints.save(session, requester, 'state');
      await expect(saving).rejects.toMatchObject({ code });
      const tried = session.evaluate({ client: 'tester', grant: null, kind: 'try', code: '1' });
      expect((await tried.settled).outcome).toBe('refused');
    });
    expect(fixture.checkpoints.list({ key: 'tester', scopes: new Set() })).toEqual([]);
  });

  it('starts no image in the place of a lost one, and brings all back when it is open again', async () => {
    await values('(defun kept () :kept)');
    process.kill(await pidOf(session), 'SIGKILL');
    await expect.poll(() => session.state, PATIENT).toBe('lost');
    await shut(async () => {
      const { outcome } = await evaluate(session, '1').settled;
      expect(outcome).toBe('refused');
      expect(session).toMatchObject({ state: 'lost', generation: 1 });
    });
    answer = 'ask';
    const given = evaluate(session, '(kept)');
    await expect.poll(() => approvals.state.questions.length, PATIENT).toBe(1);
    await session.cancel(given);
    expect((await given.settled).outcome).toBe('interrupted');
    await expect.poll(() => approvals.state.questions.length, PATIENT).toBe(0);
    const asked = evaluate(session, '(kept)');
    await expect.poll(() => approvals.state.questions.length, PATIENT).toBe(1);
    approvals.answer(approvals.state.questions[0] as ApprovalQuestion, 'once');
    // Nobody is asked twice: neither for the image nor for what then runs in it.
    expect((await asked.settled).forms.at(-1)?.values).toEqual([':KEPT']);
    answer = 'allow';
    expect(session.generation).toBe(2);
  });
});
