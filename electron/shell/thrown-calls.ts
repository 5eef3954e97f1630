/** Looking into what a failed evaluation has thrown, where nothing is held: exceptions as values, and where their frames are. */
import type { Thrown, ThrownView } from '../contract/thrown';
import { isInnerFrame } from '../sessions/inner-frames';
import { objectHandle } from '../sessions/object-handle';
import type { Session } from '../sessions/session/session';
import { thrownSource } from '../sessions/thrown-source';
import type { CallHandlers } from './answer';
import type { WindowServices } from './window-services';

type ThrownCalls = Pick<CallHandlers, 'debugger:thrown' | 'debugger:thrown-source'>;

export function thrownCalls({ person, sessions, history }: WindowServices): ThrownCalls {
  return {
    'debugger:thrown': async ({ session: id, evaluation }) => {
      const session = await sessions.find(id, person);
      if (!session.offers('exceptions')) return [];
      const causes = await session.ability('exceptions').causes(evaluation);
      return causes.map((cause) => thrownView(cause, session));
    },
    'debugger:thrown-source': async ({ session: id, evaluation, at }) => {
      const session = await sessions.find(id, person);
      const place = await session.ability('exceptions').source(evaluation, at);
      return place && thrownSource(place, session.identity.project, (row) => history.evaluations.find(row));
    },
  };
}

function thrownView({ object, frames, ...cause }: Thrown, { generation, identity }: Session): ThrownView {
  return {
    ...cause,
    handle: objectHandle(object, generation),
    frames: frames.map((frame) => ({ ...frame, inner: isOthers(identity.engine, frame.call) })),
  };
}

/** The form itself is of whoever typed it. */
function isOthers(engine: string, call: string): boolean {
  return isInnerFrame(engine, call) && !/\/eval\d+ \(/.test(call);
}
