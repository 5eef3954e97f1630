/** Remaining first steps. */
import { expect, it } from 'vitest';
import type { ConnectState, ConnectView } from '../../electron/contract/clients';
import type { EngineFound } from '../../electron/contract/model';
import { stepsLeft } from './first-steps';

const SBCL: EngineFound = { engine: 'sbcl', available: true, version: '2.5.2' };
const NO_SBCL: EngineFound = { engine: 'sbcl', available: false, reason: 'SBCL was not found.' };
const NBB: EngineFound = { engine: 'nbb', available: true, version: '1.6' };

const program = (name: string, state: ConnectState) => ({ name, state }) as ConnectView;

it('are to install SBCL and to connect what is here', () => {
  const cursor = program('cursor', 'ready');
  expect(stepsLeft([NO_SBCL, NBB], {}, [cursor, program('zed', 'absent')])).toEqual({
    lisp: true,
    programs: [cursor],
    done: false,
  });
});

it('are none for the Lisp where another engine was chosen', () => {
  expect(stepsLeft([NO_SBCL, NBB], { engine: 'nbb' }, []).lisp).toBe(false);
});

it('are done when SBCL is here and one program is connected', () => {
  const programs = [program('cursor', 'connected'), program('zed', 'ready')];
  expect(stepsLeft([SBCL, NBB], {}, programs)).toEqual({ lisp: false, programs: [], done: true });
  expect(stepsLeft([NO_SBCL, NBB], {}, programs).done).toBe(false);
});

it('wait where no program is here yet: the next that comes is offered', () => {
  expect(stepsLeft([SBCL], {}, [program('zed', 'absent')])).toEqual({
    lisp: false,
    programs: [],
    done: false,
  });
});
