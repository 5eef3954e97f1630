/** Sessions confined like in the app, with decoys outside, from which attacks start. */

import { tmpdir } from 'node:os';
import { Engines } from '../../electron/images/discovery';
import type { Launcher } from '../../electron/launchers/launcher';
import { AllowList } from '../../electron/sandbox/allow-list';
import type { Session } from '../../electron/sessions/session/session';
import { sessionsFixture } from '../integration/sessions-fixture';
import type { Place } from './attack';
import type { AttackedEngine } from './engines';
import type { AtEnd, Decoys } from './place';

/** The default allow-list. */
export function defaultList({ home, data }: Pick<Place, 'home' | 'data'>): AllowList {
  return new AllowList({
    ...{ entries: () => [], withoutDefaults: () => [], libraries: () => [], networkProjects: () => [] },
    ...{ home, dataFolder: data, temporaryFolders: [tmpdir()] },
  });
}

/** A session of the engine in the decoys' project, which can run programs. */
export async function confinedSession(
  { engine, prepare }: AttackedEngine,
  launcher: Launcher,
  { shared }: Decoys,
  atEnd: AtEnd,
): Promise<Session> {
  const list = defaultList(shared);
  const instead = {
    ...{ launcher, engines: new Engines([engine], () => engine.name) },
    ...{ confine: (project: string) => list.confinement(project), checkProject: () => undefined },
  };
  const session = await sessionsFixture({ instead }, atEnd).open(shared.project);
  await prepare?.(session);
  return session;
}

/** Evaluates as an agent does. */
export function evaluated(session: Session, code: string) {
  return session.evaluate({ client: 'agent', grant: null, kind: 'eval', code }).settled;
}
