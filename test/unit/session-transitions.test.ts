/** What a session does next: every event in every state, and what holds whatever happens in whatever order. */

import { describe, expect, it } from 'vitest';
import { messageText } from '../../electron/contract/mention';
import {
  type Effect,
  NEW_SESSION,
  pendingIn,
  publicState,
  type SessionEvent,
  type State,
  type Transition,
} from '../../electron/sessions/session/session-state';
import { transition } from '../../electron/sessions/session/session-transition';
import { playedRandomly } from './session-plays';
import { at, EVENTS, evaluated, held, LOST, reset, restart, TABLE } from './session-transition-table';
import { stateText, transitionText } from './session-transition-text';

/** What the events lead to, and all that is done on the way. */
function following(state: State, ...events: SessionEvent[]): Transition {
  return events.reduce<Transition>(
    (sofar, event) => {
      const next = transition(sofar.state, event);
      return { state: next.state, effects: [...sofar.effects, ...next.effects] };
    },
    { state, effects: [] },
  );
}

function notes(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => (effect.do === 'reject' ? [messageText(effect.note)] : []));
}

describe.each(TABLE.map(([state, answers]) => ({ text: stateText(state), state, answers })))(
  '$text',
  ({ text, state, answers }) => {
    it.each(Object.entries(EVENTS))('%s', (name, event) => {
      const expected = answers[name as keyof typeof EVENTS] ?? text;
      expect(transitionText(transition(state, event))).toBe(expected);
    });
  },
);

describe('what is told', () => {
  const run = [{ is: 'requested', turn: at(1) }, { is: 'turn' }] as const;

  it('says at which level nothing can be evaluated', () => {
    const inside = [...run, held(1)];
    expect(notes(following(NEW_SESSION, { is: 'requested', turn: at(1, 2) }).effects)).toEqual([
      'No evaluation is suspended at debugger level 2; omit level.',
    ]);
    const { state } = following(NEW_SESSION, ...inside);
    expect(notes(following(state, { is: 'requested', turn: at(2) }).effects).join()).toMatch(
      /suspended at debugger level 1, by evaluation 1\. .* pass level: 1\.$/,
    );
    const waits = following(state, { is: 'requested', turn: at(2, 1) }).state;
    expect(notes(following(waits, { is: 'levelExited', id: 1 }).effects)).toEqual([
      'Debugger level 1 exited.',
    ]);
    expect(notes(following(waits, { is: 'imageLost', because: LOST }).effects)).toEqual([
      'No evaluation is suspended at debugger level 1; omit level.',
    ]);
  });

  it('gives the reason for a new image, and both where it was lost before it was given up', () => {
    const askedAndGone = [
      { is: 'requested', turn: reset(1) },
      { is: 'turn' },
      { is: 'imageLost', because: 'its image was ended' },
      { is: 'givenUp' },
    ] as const;
    expect(following(NEW_SESSION, ...askedAndGone).effects).toContainEqual({
      do: 'startImage',
      because: 'it was reset',
      id: 1,
    });
    const lost = following(NEW_SESSION, { is: 'imageLost', because: LOST }).state;
    expect(following(lost, ...askedAndGone).effects).toContainEqual({
      do: 'startImage',
      because: `${LOST}, and it was reset`,
      id: 1,
    });
  });

  it('reaches who watches once for each state that they see', () => {
    const published = (...events: SessionEvent[]) =>
      following(NEW_SESSION, ...events).effects.filter((effect) => effect.do === 'publish').length;
    expect(published(...run)).toBe(1);
    expect(published(...run, evaluated(1))).toBe(2);
    // Idle until the image is gone, then lost, starting, and idle.
    expect(published({ is: 'requested', turn: restart(-1) }, { is: 'turn' })).toBe(0);
    expect(
      published(
        { is: 'requested', turn: restart(-1) },
        { is: 'turn' },
        { is: 'imageLost', because: LOST },
        { is: 'givenUp' },
        { is: 'imageStarted' },
      ),
    ).toBe(3);
  });
});

describe('whatever happens', () => {
  const plays = Array.from({ length: 120 }, (_, seed) => playedRandomly(seed, 100));

  it.each<[string, (step: (typeof plays)[number]['steps'][number]) => void]>([
    [
      'the end is for good',
      ({ before, now }) => {
        if (before.is === 'ended') expect(now.state.is).toBe('ended');
      },
    ],
    [
      'nothing begins but where nothing runs, at the level that it was asked for',
      ({ before, now }) => {
        const begins = now.effects.filter((effect) => effect.do === 'run');
        if (begins.length === 0) return;
        expect(begins).toHaveLength(1);
        expect(new Set(before.begun)).toEqual(new Set('suspended' in before ? before.suspended : []));
      },
    ],
    [
      'levels are nested: they come and go at the inner end',
      ({ before, now: { state } }) => {
        const [outer, inner] = [before, state].map((each) => ('suspended' in each ? each.suspended : []));
        const common = Math.min(outer?.length ?? 0, inner?.length ?? 0);
        expect(inner?.slice(0, common)).toEqual(outer?.slice(0, common));
        expect(inner?.length).toBeLessThanOrEqual((outer?.length ?? 0) + 1);
      },
    ],
    [
      'what is held or runs was begun, and is one or the other',
      ({ now: { state } }) => {
        const inImage = [
          ...('suspended' in state ? state.suspended : []),
          ...('running' in state && state.running !== null ? [state.running] : []),
        ];
        expect(new Set(inImage).size).toBe(inImage.length);
        expect(state.begun).toEqual(expect.arrayContaining(inImage));
      },
    ],
    [
      'what waits, waits for the top level or the innermost one',
      ({ now: { state } }) => {
        const levels = state.waiting.flatMap((turn) => (turn.for === 'evaluation' ? [turn.level] : []));
        const depth = 'suspended' in state ? state.suspended.length : 0;
        expect(levels.filter((level) => level !== depth)).toEqual([]);
      },
    ],
    [
      'only what was begun is interrupted',
      ({ now: { state } }) => {
        const { ladder } = state;
        if (ladder) expect(state.begun).toEqual(expect.arrayContaining([ladder.target, ladder.on]));
      },
    ],
    [
      'an image is started only where there is none, and given up before',
      ({ before, now }) => {
        if (!now.effects.some((effect) => effect.do === 'startImage')) return;
        expect(['lost', 'replacing']).toContain(before.is);
        expect(before.begun).toEqual([]);
      },
    ],
    [
      'those who watch are told of what they see, last',
      ({ before, now }) => {
        const told = now.effects.findIndex((effect) => effect.do === 'publish');
        const isSeen =
          publicState(before) !== publicState(now.state) || before.ladder?.step !== now.state.ladder?.step;
        expect(told).toBe(isSeen ? now.effects.length - 1 : -1);
      },
    ],
  ])('%s', (_what, holds) => {
    for (const { steps } of plays) for (const step of steps) holds(step);
  });

  it('every evaluation that was asked for is closed exactly once, and every question answered', () => {
    for (const { asked, closed } of plays) expect(closed.toSorted()).toEqual(asked.toSorted());
  });

  it('those that are not closed are the pending ones', () => {
    for (const { steps } of plays)
      for (const { now, open } of steps) expect(new Set(pendingIn(now.state))).toEqual(open);
  });

  it('nothing waits for ever where images answer', () => {
    for (const { quiet } of plays) expect(['idle', 'lost', 'ended']).toContain(stateText(quiet));
  });

  it('comes to every state, and does all that can be done', () => {
    const steps = plays.flatMap((play) => play.steps);
    expect(new Set(steps.map(({ now }) => now.state.is)).size).toBe(7);
    expect(new Set(steps.flatMap(({ now }) => now.effects.map((effect) => effect.do))).size).toBe(14);
  });
});
