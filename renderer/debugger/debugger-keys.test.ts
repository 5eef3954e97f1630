/** Which key does what in the debugger. */
import { expect, it } from 'vitest';
import { debuggerAction } from './debugger-keys';

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {}) =>
  debuggerAction({ key, ctrlKey: false, metaKey: false, altKey: false, ...held });

it('digits choose restarts, letters and arrows what SLIME has them do', () => {
  expect(press('3')).toEqual({ do: 'restart', index: 3 });
  expect(press('ArrowDown')).toEqual({ do: 'frame', by: 1 });
  expect(press('R')).toEqual({ do: 'returnFrom' });
  expect(press('r')).toEqual({ do: 'restartFrame' });
  expect(press('x')).toEqual({ do: 'step', way: 'over' });
});

it('other keys, and those of shortcuts, do nothing here', () => {
  expect(press('z')).toBeNull();
  expect(press('Enter')).toBeNull();
  expect(press('1', { ctrlKey: true })).toBeNull();
  expect(press('a', { altKey: true })).toBeNull();
});
