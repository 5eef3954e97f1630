/**
 * The attacks from sessions of one engine as tests: each sandbox prevents them, and without confinement they
 * succeed.
 */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../electron/sessions/session/session';
import { rounds } from '../rounds';
import { PATIENT } from '../started-harbor';
import type { Attack } from './attack';
import { type Batch, writeBatch } from './batch';
import { has } from './capabilities';
import { confinedSession, evaluated } from './confined-session';
import type { AttackedEngine } from './engines';
import { type Confiner, NOTHING, SANDBOXES } from './launchers';
import { endAll, running } from './left-running';
import { type Decoys, placeDecoys } from './place';
import { PROGRAMS } from './programs/all';

/** A session in which all attack programs have run. */
interface Attacked {
  session: Session;
  decoys: Decoys;
  batch: Batch;
}

/** @param own attacks of the engine's code without programs */
export function describeAttacks(engine: AttackedEngine, own: readonly Attack[]): void {
  describe.each(confinersOf(engine))(`${engine.title} in $name`, (confiner) => {
    attacksFrom(engine, own, confiner);
  });
}

/** All of them in the soak. */
function confinersOf({ isProof, isSlow }: AttackedEngine): readonly Confiner[] {
  const isSoak = rounds({ usual: 0, soak: 1 }) > 0;
  const sandboxes = isSlow && !isSoak ? SANDBOXES.slice(0, 1) : SANDBOXES;
  return isProof || isSoak ? [...sandboxes, NOTHING] : sandboxes;
}

function attacksFrom(engine: AttackedEngine, own: readonly Attack[], confiner: Confiner): void {
  const attacks = [...PROGRAMS, ...own].map((attack, index) => ({
    ...{ attack, index, name: attack.name, ends: endOf(attack, confiner) },
  }));
  const tried = attacks.filter(({ ends }) => ends !== 'not tried');
  const programs = tried.filter(({ index }) => index < PROGRAMS.length);
  const opened = attackedSession(
    engine,
    confiner,
    attacks.length,
    programs.map(({ index }) => index),
  );

  it.each(programs)('code $name: $ends', ({ attack, index, ends }) => {
    const { batch, decoys, session } = opened();
    const said = batch.said(index);
    expect(said).toContain('over\n');
    const succeeds = said.includes('ESCAPED') || !decoys.untouched(index);
    const lacks = ends === 'succeeds' && attack.mayLack === true && said.includes('LACKING');
    expect(succeeds || lacks, `${attack.mustNot}: ${said}`).toBe(ends !== 'held');
    if (ends === 'open, as it is told') expectTold(session, attack);
  });

  it.each(tried.slice(programs.length))('its own code $name: $ends', async ({ attack, index, ends }) => {
    const { decoys, session } = opened();
    const { forms, condition } = await evaluated(session, engine.guarded(attack.script(decoys.place(index))));
    const values = forms.flatMap((form) => form.values);
    const succeeds = values.includes(engine.escaped) || !decoys.untouched(index);
    expect(succeeds, [attack.mustNot, ...values, condition?.message].join('\n')).toBe(ends !== 'held');
    if (ends === 'open, as it is told') expectTold(session, attack);
  });

  it('leaves what attacks share as it was, and its victim running', () => {
    const { decoys } = opened();
    expect(decoys.changed()).toEqual([]);
    expect(process.kill(decoys.shared.victim.pid, 0)).toBe(true);
  });

  leavesNothing(engine, opened);
}

type End = 'held' | 'open, as it is told' | 'succeeds' | 'not tried';

function endOf({ open, takes, unreachable }: Attack, { name }: Confiner): End {
  if (name === 'nothing') return unreachable === undefined && has(takes) ? 'succeeds' : 'not tried';
  const isOpen = name === 'Landlock' && open && (open.unless === undefined || !has(open.unless));
  return isOpen ? 'open, as it is told' : 'held';
}

function expectTold(session: Session, { open }: Attack): void {
  expect(session.view().sandbox.gaps).toContainEqual(expect.stringContaining(open?.Landlock ?? ''));
}

/** Hundreds of programs run in one evaluation, on a busy machine. */
const ALL_PROGRAMS_MS = 600_000;

/** Provides it to the tests; first runs all `chosen` attacks. */
function attackedSession(
  engine: AttackedEngine,
  confiner: Confiner,
  count: number,
  chosen: readonly number[],
): () => Attacked {
  let attacked: Attacked | undefined;
  const ends: (() => unknown)[] = [];
  const atEnd = (end: () => unknown) => void ends.unshift(end);
  beforeAll(async () => {
    const decoys = await placeDecoys(count, atEnd);
    const session = await confinedSession(engine, await confiner.launcher(), decoys, atEnd);
    const batch = writeBatch(PROGRAMS, chosen, decoys);
    await evaluated(session, engine.bash(batch.file));
    attacked = { session, decoys, batch };
  }, ALL_PROGRAMS_MS);
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return () => {
    if (!attacked) throw new Error('the session is not open');
    return attacked;
  };
}

/** Separate decoys, which are killed at the end of the session, whatever group they are in. */
function leavesNothing(engine: AttackedEngine, opened: () => Attacked): void {
  it('leaves no processes behind when its session ends, or tells that it may', async () => {
    const { session, decoys } = opened();
    const { gaps = [] } = session.view().sandbox;
    const mark = `3${process.pid}.31415`;
    const file = `${decoys.shared.project}/code/leaves.sh`;
    writeFileSync(
      file,
      `for each in $(seq 10); do sleep ${mark} >/dev/null 2>&1 & setsid sleep ${mark} >/dev/null 2>&1 & done\n`,
    );
    await evaluated(session, engine.bash(file));
    await expect.poll(() => running(mark).length, PATIENT).toBe(20);
    await session.end();
    if (gaps.some((gap) => gap.includes('keep running'))) endAll(mark);
    await expect.poll(() => running(mark).length, PATIENT).toBe(0);
  });
}
