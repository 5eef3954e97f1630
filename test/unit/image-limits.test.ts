/** What is left to the process itself where control groups do not limit an image, and what is told then. */
import { expect, it } from 'vitest';
import type { Controller } from '../../electron/launchers/control-group-places';
import { limitsByGroups } from '../../electron/launchers/image-limits';
import { UNLIMITED } from '../../electron/launchers/process-limits';

/** Groups that miss these. */
function groupsWithout(missing: Controller[]) {
  return { missing, expectOne: UNLIMITED.expectImage, make: UNLIMITED.forImage };
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

it('nothing, where they limit all', () => {
  expect(limits([], 0)).toEqual({ gap: null, inside: '' });
  expect(limits([], 1000)).toEqual({ gap: null, inside: '' });
});

it('processes, but for root, for whom such a limit does not hold', () => {
  expect(limits(['pids'], 1000)).toEqual({ gap: null, inside: PRLIMIT });
  expect(limits(['pids'], 0)).toEqual({
    gap: expect.stringMatching(/^not limited: processes; Lisp Harbor runs as root/),
    inside: '',
  });
});

it('memory is limited by nothing else', () => {
  expect(limits(['memory', 'pids'], 1000)).toEqual({
    gap: expect.stringMatching(/^not limited: memory beyond the heap; no systemd/),
    inside: PRLIMIT,
  });
  expect(limits(['memory', 'pids'], 0).gap).toMatch(/^not limited: memory beyond the heap, and processes; /);
});

it('nothing, where images run among the user’s own processes', () => {
  expect(limits(['pids'], 1000, true)).toEqual({
    gap: expect.stringMatching(/^not limited: processes; no systemd/),
    inside: '',
  });
});

it('what is left running is ended where there is a group to find it in', () => {
  const ends = (missing: Controller[]) =>
    limitsByGroups(groupsWithout(missing), { tasks: 7, memoryBytes: 1 }, 0).endsPrograms;
  expect(ends([])).toBe(true);
  expect(ends(['pids'])).toBe(true);
  expect(ends(['memory', 'pids'])).toBe(false);
});
