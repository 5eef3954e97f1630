/** The process limits that complement control groups, and the reported gaps. */
import { expect, it } from 'vitest';
import { limitsByGroups } from '../../electron/launchers/choose';
import type { Controller } from '../../electron/launchers/control-group';
import { UNLIMITED } from '../../electron/launchers/process-limits';

/** Groups without these controllers. */
function groupsWithout(missing: Controller[]) {
  return { missing, prepareNext: UNLIMITED.expectImage, make: UNLIMITED.forImage };
}

function limits(missing: Controller[], uid: number, shareHost = false) {
  const { gap, forImage } = limitsByGroups(
    groupsWithout(missing),
    { tasks: 7, memoryBytes: 1 },
    uid,
    shareHost,
  );
  return { gap, inside: forImage().inside.join(' ') };
}

const PRLIMIT = '/usr/bin/prlimit --nproc=7:7 --core=0 --';

it('nothing, if groups limit everything', () => {
  expect(limits([], 0)).toEqual({ gap: null, inside: '' });
  expect(limits([], 1000)).toEqual({ gap: null, inside: '' });
});

it('processes, except for root, to whom such a limit does not apply', () => {
  expect(limits(['pids'], 1000)).toEqual({ gap: null, inside: PRLIMIT });
  expect(limits(['pids'], 0)).toEqual({
    gap: expect.stringMatching(/^not limited: processes; Lisp Harbor runs as root/),
    inside: '',
  });
});

it('memory has no other limit', () => {
  expect(limits(['memory', 'pids'], 1000)).toEqual({
    gap: expect.stringMatching(/^not limited: memory beyond the heap; systemd/),
    inside: PRLIMIT,
  });
  expect(limits(['memory', 'pids'], 0).gap).toMatch(/^not limited: memory beyond the heap, and processes; /);
});

it('nothing, if images run among the user’s own processes', () => {
  expect(limits(['pids'], 1000, true)).toEqual({
    gap: expect.stringMatching(/^not limited: processes; systemd/),
    inside: '',
  });
});

it('remaining programs are killed if there is a group to find them in', () => {
  const ends = (missing: Controller[]) =>
    limitsByGroups(groupsWithout(missing), { tasks: 7, memoryBytes: 1 }, 0).endsPrograms;
  expect(ends([])).toBe(true);
  expect(ends(['pids'])).toBe(true);
  expect(ends(['memory', 'pids'])).toBe(false);
});
