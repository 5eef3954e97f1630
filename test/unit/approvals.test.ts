/** Who is asked before what, and what a person's answer does. */
import { describe, expect, it, vi } from 'vitest';
import { Approvals } from '../../electron/access/approvals';
import { decideApproval, grantFor } from '../../electron/access/grant';

import {
  type Act,
  type ApprovalQuestion,
  type ApprovalReply,
  ApprovalRule,
} from '../../electron/contract/approvals';
import { PERSON_KEY } from '../../electron/contract/known-clients';

const rule = (answer: ApprovalRule['answer'], client: string | null = null) =>
  ApprovalRule.parse({ client, class: 'evaluate', answer });

const act: Act = { client: 'codex', class: 'evaluate', tool: 'eval', code: '(delete-file "x")' };

const attach: Act = { client: 'codex', class: 'attach', tool: 'open_session', code: 'swank 127.0.0.1:4005' };

function newApprovals(rules: ApprovalRule[], attended = true) {
  const approvals = new Approvals({
    rules: () => rules,
    addRule: (added) => rules.push(added),
    isAttended: () => attended,
    clock: () => 7,
  });
  return { approvals, rules };
}

/** Answers the first question. */
function reply(approvals: Approvals, answer: ApprovalReply): void {
  approvals.answer(approvals.state.questions[0] as ApprovalQuestion, answer);
}

const refusal = (code: string) => expect.objectContaining({ code });

describe('approvalOf', () => {
  it('follows the usual answers where no person has said anything', () => {
    const answers = (['evaluate', 'load', 'write', 'kill', 'network', 'attach'] as const).map(
      (each) => decideApproval('codex', each, []).answer,
    );
    expect(answers).toEqual(['allow', 'allow', 'allow', 'allow', 'ask', 'ask']);
  });

  it('lets nobody load who may not evaluate, unless a rule is about loading', () => {
    const load = ApprovalRule.parse({ client: null, class: 'load', answer: 'allow' });
    expect(decideApproval('codex', 'load', [rule('deny')])).toMatchObject({ answer: 'deny' });
    expect(decideApproval('codex', 'load', [rule('ask', 'codex')])).toMatchObject({ answer: 'ask' });
    expect(decideApproval('codex', 'load', [rule('deny'), load])).toMatchObject({ answer: 'allow' });
    expect(decideApproval('codex', 'write', [rule('deny')])).toMatchObject({ answer: 'allow' });
  });

  it('takes a rule for the client before one for all, and the later of two', () => {
    const answer = (...rules: ApprovalRule[]) => decideApproval('codex', 'evaluate', rules).answer;
    expect(answer(rule('deny'))).toBe('deny');
    expect(answer(rule('ask', 'codex'), rule('deny'))).toBe('ask');
    expect(answer(rule('deny'), rule('allow'))).toBe('allow');
    expect(answer(rule('deny', 'cursor'))).toBe('allow');
  });
});

describe('Approvals', () => {
  it('gives the client the reason of the user for a refusal', async () => {
    const { approvals } = newApprovals([rule('ask')]);
    const act = { client: 'codex', class: 'evaluate' as const, tool: 'eval' };
    const refused = approvals.require(act);
    await vi.waitFor(() => expect(approvals.state.questions).toHaveLength(1));
    approvals.answer(approvals.state.questions[0] as ApprovalQuestion, 'no', ' Not on this branch. ');
    await expect(refused).rejects.toMatchObject({
      code: 'not_approved',
      message: expect.stringMatching(/Not on this branch\.$/),
    });
  });

  it('lets through what is allowed and refuses what is denied, with the rule', async () => {
    await newApprovals([]).approvals.require(act);
    const { approvals } = newApprovals([rule('deny', 'codex')]);
    await expect(approvals.require(act)).rejects.toThrow(/evaluate: deny, for codex/);
  });

  it('asks with the exact code and the rule, and waits', async () => {
    const { approvals, rules } = newApprovals([rule('ask')]);
    const asked = approvals.require(act);
    const { code, ...rest } = act;
    expect(approvals.state.questions).toEqual([
      {
        id: 1,
        ...rest,
        parts: [{ kind: 'code', name: '', code }],
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        rule: 'evaluate: ask, for every client',
        requestedAt: 7,
      },
    ]);
    reply(approvals, 'once');
    await asked;
    expect(approvals.state.questions).toEqual([]);
    expect(rules).toHaveLength(1);
  });

  it('makes a rule of "always", for this client and this class', async () => {
    const { approvals } = newApprovals([rule('ask')]);
    const asked = approvals.require(act);
    reply(approvals, 'always');
    await asked;
    await approvals.require(act);
    const other = approvals.require({ ...act, client: 'cursor' });
    expect(approvals.state.questions).toHaveLength(1);
    reply(approvals, 'no');
    await expect(other).rejects.toThrow(refusal('not_approved'));
  });

  it('tells what an act means, and lets "always" keep something narrower than a rule', async () => {
    const { approvals, rules } = newApprovals([]);
    const kept: string[] = [];
    const explanation = { wish: 'attach' as const, meaning: ['Nobody has named it.'] };
    const always = () => void kept.push('server');
    const asked = approvals.require({ ...attach, explanation, always, otherwise: 'Or name it.' });
    expect(approvals.state.questions).toMatchObject([{ explanation }]);
    expect(structuredClone(approvals.state.questions)).toEqual(approvals.state.questions);
    reply(approvals, 'always');
    await asked;
    expect({ kept, rules }).toEqual({ kept: ['server'], rules: [] });
  });

  it('asks nobody for a client that has gone', async () => {
    const { approvals } = newApprovals([rule('ask')]);
    const caller = new AbortController();
    const asked = approvals.require({ ...act, signal: caller.signal });
    caller.abort();
    await expect(asked).rejects.toThrow(refusal('cancelled'));
    expect(approvals.state.questions).toEqual([]);
  });

  it('refuses without a window, and says what to write where', async () => {
    const { approvals } = newApprovals([rule('ask')], false);
    await expect(approvals.require(act)).rejects.toThrow(
      /no window.*settings\.json: \{"client":"codex","class":"evaluate","answer":"allow"\}/,
    );
  });

  it('says in a refusal what the act means and how else it is allowed', async () => {
    const explanation = { wish: 'attach' as const, meaning: ['Nobody has named it.'] };
    const way = { ...attach, explanation, otherwise: 'Or name it.' };
    await expect(newApprovals([], false).approvals.require(way)).rejects.toThrow(
      /^Nobody has named it\. open_session needs .*"class":"attach","answer":"allow"}.* Or name it\.$/,
    );
    const denied: ApprovalRule = { client: null, class: 'attach', answer: 'deny' };
    await expect(newApprovals([denied]).approvals.require(way)).rejects.toThrow(
      /^Nobody has named it\. A user rule denies open_session for codex .* Or name it\.$/,
    );
  });

  it('lets nothing begin while it is paused, also what was just approved', async () => {
    const { approvals } = newApprovals([rule('ask', 'cursor')]);
    const asked = approvals.require({ ...act, client: 'cursor' });
    let changes = 0;
    approvals.on('changed', () => (changes += 1));
    approvals.pause(true);
    approvals.pause(true);
    expect(changes).toBe(1);
    await expect(approvals.require(act)).rejects.toThrow(refusal('paused'));
    reply(approvals, 'once');
    await expect(asked).rejects.toThrow(refusal('paused'));
    approvals.pause(false);
    await approvals.require(act);
  });
});

describe('the execution guard', () => {
  const { signal } = new AbortController();
  const usual = { client: 'codex', class: 'evaluate', tool: 'listener', code: '(f)' } as const;

  it('asks, refuses and holds as the rules say, whoever forgot to ask before', async () => {
    expect(newApprovals([]).approvals.guard(usual, null)(signal)).toBeNull();
    const denying = newApprovals([rule('deny')]).approvals;
    expect(await denying.guard(usual, null)(signal)).toMatchObject({ code: 'not_approved' });
    const { approvals } = newApprovals([rule('ask')]);
    const admission = approvals.guard(usual, null)(signal);
    expect(approvals.state.questions).toMatchObject([{ parts: [{ code: '(f)' }], class: 'evaluate' }]);
    reply(approvals, 'once');
    expect(await admission).toBeNull();
  });

  it('asks a person once, however often the act comes to it, and holds it while all is paused', async () => {
    const { approvals } = newApprovals([rule('ask')]);
    const admission = approvals.guard(usual, null);
    const asked = admission(signal);
    reply(approvals, 'once');
    expect(await asked).toBeNull();
    expect(admission(signal)).toBeNull();
    approvals.pause(true);
    expect(await admission(signal)).toMatchObject({ code: 'paused' });
  });

  it('asks nothing again that a grant of this client covers, and holds it too while all is paused', async () => {
    const { approvals } = newApprovals([rule('ask')]);
    const admission = approvals.guard(usual, grantFor('codex', 'evaluate'));
    expect(admission(signal)).toBeNull();
    for (const other of [grantFor('codex', 'load'), grantFor('claude', 'evaluate')])
      expect(approvals.guard(usual, other)(AbortSignal.abort())).not.toBeNull();
    approvals.pause(true);
    expect(await admission(signal)).toMatchObject({ code: 'paused' });
    expect(approvals.guard({ ...usual, client: PERSON_KEY }, null)(signal)).toBeNull();
  });
});
