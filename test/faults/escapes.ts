/** The attempts of one engine as tests, and their proof: where nothing confines them, they do reach what they try to. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../electron/sessions/session/session';
import { attempts, type EscapePlace } from './escape-attempts';
import { confinedSession, type Escapes, escapePlace, tried } from './escape-place';
import { expectNoneLeft } from './left-running';
import type { Programs } from './programs';
import { SANDBOXES, type Sandbox } from './sandboxes';

/** Names are told before there is a place. */
const NOWHERE = {
  ...{
    outside: '',
    home: '',
    data: '',
    project: '',
    work: '',
    victim: 0,
    port: 0,
    abstractSocket: '',
    socket: '',
  },
};

/** Its name, and the code. */
export type OwnAttempt = readonly [name: string, code: (place: EscapePlace) => string];

export interface EngineUnderTest extends Programs {
  /** What it tries without any program. Who has read what it must not answers `escaped`; what is written shows outside. */
  own: readonly OwnAttempt[];
  /** Code that answers the value of `code`, or that it failed. */
  guarded: (code: string) => string;
  /** How `escaped` is printed. */
  escaped: string;
}

export function describeEscapes(title: string, engine: EngineUnderTest): void {
  describe.each(SANDBOXES)(`${title} in $name`, (sandbox) => attemptsIn(sandbox, engine));
}

function attemptsIn(sandbox: Sandbox, { engine, code, prepare, ...own }: EngineUnderTest): void {
  let escapes: Escapes | undefined;
  let session: Session | undefined;
  const ends: (() => unknown)[] = [];
  const here = () => {
    if (!escapes || !session) throw new Error('the session is not open');
    return { escapes, session };
  };

  beforeAll(async () => {
    escapes = await escapePlace((end) => ends.unshift(end));
    session = await confinedSession(engine, await sandbox.launcher(), escapes, (end) => ends.unshift(end));
    await prepare?.(session);
  }, 120_000);
  afterAll(async () => {
    for (const end of ends) await end();
  });

  const titled = (name: string) => {
    const isHeld = !sandbox.open.includes(name);
    return { name, isHeld, verdict: isHeld ? 'does not' : 'can, as it is told,' };
  };

  it('runs programs, in its project', async () => {
    const {
      escapes: { place },
      session: open,
    } = here();
    const attempt = { name: '', script: 'cat own.lisp; echo made > made', provable: false };
    expect(await tried(open, attempt, place, code)).toBe('(own)over\n');
    expect(existsSync(`${place.work}/made`)).toBe(true);
  });

  it.each(attempts(NOWHERE).map(({ name }, index) => ({ ...titled(name), index })))(
    '$verdict $name',
    async ({ index, isHeld }) => {
      const {
        escapes: { place, attempts: all, untouched },
        session: open,
      } = here();
      const attempt = all[index];
      if (!attempt) throw new Error('no such attempt');
      const said = await tried(open, attempt, place, code);
      expect(said).toMatch(/over\n$/);
      expect(said.includes('ESCAPED'), said).toBe(!isHeld);
      expect(untouched()).toBe(true);
    },
  );

  it.each(own.own.map(([name, attempt]) => ({ ...titled(name), attempt })))(
    '$verdict $name by itself',
    async ({ attempt, isHeld }) => {
      const {
        escapes: { place, untouched },
        session: open,
      } = here();
      const request = { client: 'agent', kind: 'eval', code: own.guarded(attempt(place)) } as const;
      const { forms } = await open.evaluate(request).settled;
      expect(forms.flatMap(({ values }) => values).includes(own.escaped)).toBe(!isHeld);
      expect(untouched()).toBe(true);
    },
  );

  it('leaves no processes behind when its session ends, or tells that it may', async () => {
    const {
      escapes: { place },
      session: open,
    } = here();
    await expectNoneLeft(open, place, code);
  });
}
