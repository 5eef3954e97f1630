/** What a conversation is told once, and when it is told again. */
import { expect, it } from 'vitest';
import { ConversationState } from '../../electron/tools/conversation-state';

it('what has not changed is no news, of each session', () => {
  const told = new ConversationState();
  expect(told.reportOnce('a', 'package', 'CL-USER')).toBe(true);
  expect(told.reportOnce('a', 'package', 'CL-USER')).toBe(false);
  expect(told.reportOnce('b', 'package', 'CL-USER')).toBe(true);
  expect(told.reportOnce('a', 'package', 'SHOP')).toBe(true);
});

it('after a silence somebody else may be listening, who is told all anew', () => {
  let now = 1_000;
  const told = new ConversationState(false, 100, () => now);
  const isNews = () => told.reportOnce('a', 'session', 'a');
  expect(isNews()).toBe(true);
  const beginning = told.soFar(7);
  told.record(7, { ...beginning, forms: 2 });
  now += 100;
  expect(isNews()).toBe(false);
  now += 100;
  expect([isNews(), told.soFar(7).forms]).toEqual([false, 2]);
  now += 101;
  expect([told.soFar(7), isNews()]).toEqual([beginning, true]);
});
