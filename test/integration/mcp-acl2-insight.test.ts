/** Worlds that are kept by name, and looks into proofs, as an agent of the profile `acl2` has them. */
import { readdirSync, rmSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallResult, call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

const APP = '(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))';
const APP_NIL = '(defthm app-nil (implies (true-listp x) (equal (app x nil) x)))';
const ASSOC = '(equal (app (app x y) z) (app x (app y z)))';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client('legacy', { profile: 'acl2' });
  await tool('admit', { code: `${APP} ${APP_NIL}` });
});
afterAll(() => harbor.stop());

function tool(name: string, args: Record<string, unknown>): Promise<CallResult<Record<string, unknown>>> {
  return call(client, name, args);
}

it('goes back to a world and away again, and says where what was left is', async () => {
  expect((await tool('acl2_checkpoint', { action: 'save', name: 'lemmas' })).text).toMatch(
    /^Saved lemmas · /,
  );
  await tool('admit', { code: `(defthm app-assoc ${ASSOC})` });
  const back = await tool('acl2_checkpoint', { action: 'restore', name: 'lemmas' });
  expect(back.isError).toBe(false);
  expect(back.text).toContain('ACL2 still had this world. No proof was repeated.');
  const kept = /previous state is in checkpoint (\S+)\./.exec(back.text)?.[1];
  expect((await tool('query_event', { name: 'app-assoc' })).isError).toBe(true);
  await tool('acl2_checkpoint', { action: 'restore', name: kept });
  expect((await tool('query_event', { name: 'app-assoc' })).text).toContain('APP-ASSOC');
  const branch = await tool('acl2_checkpoint', { action: 'branch', name: 'lemmas' });
  const there = { session_id: branch.structured.session };
  expect((await tool('query_event', { name: 'app-assoc', ...there })).isError).toBe(true);
  expect((await tool('acl2_evaluate', { code: '(app nil 3)', ...there })).text).toContain('3');
  expect((await tool('acl2_checkpoint', { action: 'list' })).text).toContain(`${kept} ·`);
  const gone = await tool('acl2_checkpoint', { action: 'restore', name: 'none' });
  expect([gone.isError, gone.text]).toEqual([true, expect.stringMatching(/^unknown_checkpoint/)]);
});

it('tells why it did not go back, and what was kept before', async () => {
  await tool('acl2_checkpoint', { action: 'save', name: 'broken' });
  for (const file of readdirSync(`${harbor.data}/checkpoints`)) rmSync(`${harbor.data}/checkpoints/${file}`);
  const { isError, structured, text } = await tool('acl2_checkpoint', { action: 'restore', name: 'broken' });
  expect(isError).toBe(true);
  expect(text).toContain('unknown_checkpoint');
  expect(structured).toMatchObject({
    checkpoints: [{ name: 'broken' }],
    notes: expect.arrayContaining([expect.stringMatching(/^Restoring failed: evaluation \d+ was error: /)]),
  });
});

it('says in data and in text why a rule was not applied', async () => {
  const { structured, text, isError } = await tool('acl2_observe_rules', {
    code: '(defthm stuck (implies (consp b) (equal (app b nil) b)))',
    rules: ['app-nil'],
  });
  expect(isError).toBe(true);
  expect(structured).toMatchObject({
    report: {
      proof: {
        events: [{ operator: 'THM', verdict: 'failed' }],
        observation: { attempts: expect.arrayContaining([expect.objectContaining({ result: null })]) },
      },
    },
  });
  expect(text).toMatch(
    /\[attempts of the watched rules\] \d+\n\(:REWRITE APP-NIL\) on \(APP B NIL\)\n +with X = B\n +not applied: :HYP 1 rewrote to \(TRUE-LISTP B\)\. \(\d+ times\)/,
  );
});

it('says what the rules of a proof have cost', async () => {
  const { text, isError } = await tool('acl2_observe_rules', { code: ASSOC });
  expect(isError).toBe(false);
  expect(text).toMatch(
    /\[costs of rules\]\nframes \(useful\) · tries \(useful\)\n\d+ \(\d+\) · \d+ \(\d+\) · \(:/,
  );
});

it('runs instructions of the proof-builder, and has the theorem to admit when nothing is left', async () => {
  const open = await tool('acl2_proof_builder', { term: ASSOC, instructions: '(:induct)' });
  expect(open.text).toMatch(
    /\[goals left by the instructions\]\n\(MAIN \. 1\)\n +1\. \(NOT \(CONSP X\)\)\n +to prove: \(EQUAL/,
  );
  const done = await tool('acl2_proof_builder', { term: ASSOC, instructions: '(:induct :prove :prove)' });
  const theorem = /(\(defthm a-name[\s\S]*?:instructions \(:induct :prove :prove\)\))/.exec(done.text)?.[1];
  expect((await tool('admit', { code: theorem })).text).toContain('Event admitted successfully');
  const failed = await tool('acl2_proof_builder', { term: ASSOC, instructions: '(:induct :bogus)' });
  expect([failed.isError, failed.text]).toEqual([
    true,
    expect.stringMatching(/The instruction :BOGUS failed:[\s|]+Undefined[\s|]+instruction/),
  ]);
  const bad = await tool('acl2_proof_builder', { term: '(p', instructions: '(:induct)' });
  expect(bad.text).toMatch(/^bad_arguments/);
});

it('lists the rules that match a term, the enabled ones first, and says when none does', async () => {
  await tool('admit', {
    code: `(defthm app-of-app ${ASSOC})
      (defthmd app-empty (implies (not (consp x)) (equal (app x y) y)))
      (defthm app-with-consp (implies (member-equal e x) (consp (app x y))))
      (defstub unknown (x) t)`,
  });
  const { text, isError } = await tool('acl2_matching_rules', { term: '(app (app a b) c)' });
  expect(isError).toBe(false);
  const [title, ...rules] = text.split('\n(:');
  expect(title).toMatch(/^\d rules match, \d of them enabled, in the order in which ACL2 tries them:$/);
  expect(rules[0]).toBe('REWRITE APP-OF-APP) → (APP A (APP B C))');
  expect(rules.at(-1)).toMatch(/^REWRITE APP-EMPTY\) \(disabled\) → C\n {2}if \(NOT \(CONSP \(APP A B\)\)\)/);
  const free = await tool('acl2_matching_rules', { term: '(consp (app a b))' });
  expect(free.text).toContain('→ T\n  if (MEMBER-EQUAL E A)\n  free variable: E');
  const none = await tool('acl2_matching_rules', { term: '(unknown a)' });
  expect(none.text).toBe('No rule of this world matches the term.');
  const variable = await tool('acl2_matching_rules', { term: 'a' });
  expect([variable.isError, variable.text]).toEqual([true, expect.stringContaining('not a variable')]);
});

it('describes and finds names, and theorems by a pattern', async () => {
  const described = await tool('describe', { name: 'app-nil' });
  expect(described.text).toContain('(IMPLIES (TRUE-LISTP X)');
  expect((await tool('find', { query: 'app-n', kind: 'apropos' })).text).toContain('theorem APP-NIL');
  const topics = await tool('find', { query: 'computed hints', kind: 'documentation', limit: 2 });
  expect(topics.text).toMatch(
    /^topic COMPUTED-HINTS · Computing advice to the theorem proving process\ntopic /,
  );
  expect((await tool('describe', { name: 'computed-hints' })).text).toMatch(
    /^topic COMPUTED-HINTS\n\| Computing /,
  );
  const { text } = await tool('acl2_find_lemma', { pattern: '(equal (app ? nil) ?)' });
  expect(text).toContain('APP-NIL (IMPLIES (TRUE-LISTP X) (EQUAL (APP X NIL) X))');
  await tool('admit', { code: '(defthm |odd\n; note: true| (equal (app x y) (app x y)) :rule-classes nil)' });
  const odd = await tool('acl2_find_lemma', { pattern: '(equal (app ?x ?y) (app ?x ?y))' });
  expect(odd.text).toMatch(/^\|odd⟨U\+000A⟩; note: true\| \(EQUAL \(APP X Y\) \(APP X Y\)\)/);
  const bad = await tool('acl2_find_lemma', { pattern: '(app ? nil' });
  expect([bad.isError, bad.text]).toEqual([true, expect.stringMatching(/^bad_arguments/)]);
});

it('tries what has failed again with other hints', async () => {
  const { text: session } = await tool('start_acl2_session', {});
  const session_id = /acl2-\w+/.exec(session)?.[0];
  const nothing = await tool('acl2_retry', { session_id, hints: '(("Goal" :in-theory (enable app)))' });
  expect([nothing.isError, nothing.text]).toEqual([true, expect.stringContaining('has failed lately')]);
  const events = `${APP} (in-theory (disable app))
    (defthm consp-of-app (implies (consp x) (consp (app x y))) :rule-classes nil :hints (("Goal" :do-not-induct t)))`;
  expect((await tool('admit', { session_id, code: events })).isError).toBe(true);
  const conjecture = '(implies (not (consp x)) (equal (app x y) y))';
  expect((await tool('check_theorem', { session_id, code: conjecture })).isError).toBe(true);
  const hints = '(("Goal" :in-theory (enable app)))';
  const checked = await tool('acl2_retry', { session_id, hints });
  expect(checked.text).toMatch(/^Provable: THM proves it/);
  const admitted = await tool('acl2_retry', { session_id, hints, name: 'Consp-of-app' });
  expect(admitted.text).toMatch(/^Event admitted successfully/);
  expect((await tool('query_event', { session_id, name: 'consp-of-app' })).text).toMatch(
    /:RULE-CLASSES NIL[\s|]+:HINTS \(\("Goal" :IN-THEORY \(ENABLE APP\)\)\)/,
  );
  const unknown = await tool('acl2_retry', { session_id, hints, name: 'nobody' });
  expect([unknown.isError, unknown.text]).toEqual([true, expect.stringContaining('No event nobody')]);
});
