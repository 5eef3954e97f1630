/** Hold: a person has a session hold its errors, and chooses how an agent's evaluation goes on. */
import { expect, it } from 'vitest';
import { PATIENT } from '../started-harbor';
import { evaluate, sessionsFixture } from './sessions-fixture';

it('holds what does not say otherwise, until it is switched off', async () => {
  const session = await sessionsFixture().open();
  expect(session.view().hold).toBe(false);
  session.settings.hold(true);
  expect(session.view().hold).toBe(true);
  const held = evaluate(session, '(restart-case (error "x") (go-on () :gone-on))');
  await expect.poll(() => held.condition?.message, PATIENT).toBe('x');
  // A caller that did not ask for it waits as long as it would for any other evaluation.
  expect(await held.within(0)).toBeNull();
  await (await session.debuggerFor({ client: 'tester', grant: null, tool: 'debug', code: '' })).restart({
    restart: 'go-on',
  });
  expect((await held.settled).forms.at(-1)?.values).toEqual([':GONE-ON']);
  const asked = session.evaluate({
    client: 'tester',
    grant: null,
    kind: 'eval',
    code: '(error "x")',
    onError: 'report',
  });
  expect((await asked.settled).outcome).toBe('error');
  session.settings.hold(false);
  expect((await evaluate(session, '(error "x")').settled).outcome).toBe('error');
});

it('a reset gives up what is held at every level, and runs in a fresh image', async () => {
  const session = await sessionsFixture().open();
  const first = session.evaluate({
    client: 'tester',
    grant: null,
    kind: 'eval',
    code: '(error "1")',
    onError: 'debug',
  });
  await expect.poll(() => first.condition?.message, PATIENT).toBe('1');
  const second = session.evaluate({
    client: 'tester',
    grant: null,
    kind: 'eval',
    code: '(error "2")',
    onError: 'debug',
    level: 1,
  });
  await expect.poll(() => second.condition?.message, PATIENT).toBe('2');
  const fresh = await session.reset({ client: 'tester', grant: null, kind: 'load', code: '(+ 1 2)' }, []);
  expect((await fresh.settled).forms.at(-1)?.values).toEqual(['3']);
  for (const given of [first, second]) expect((await given.settled).outcome).toMatch(/^(error|interrupted)$/);
  expect(session.view()).toMatchObject({ state: 'idle', generation: 2 });
});
