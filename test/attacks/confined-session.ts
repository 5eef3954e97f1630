/** Sessions confined as the harbor confines them, with decoys outside, from which attacks begin. */

import { tmpdir } from 'node:os';
import { Engines } from '../../electron/images/discovery';
import type { Launcher } from '../../electron/launchers/launcher';
import { AllowList } from '../../electron/sandbox/allow-list';
import type { Session } from '../../electron/sessions/session/session';
import { sessionsFixture } from '../integration/sessions-fixture';
import type { Place } from './attack';
import type { AttackedEngine } from './engines';
import type { AtEnd, Decoys } from './place';

/** The allow-list of a person who changed nothing. */
export function defaultList({ home, data }: Pick<Place, 'home' | 'data'>): AllowList {
  return new AllowList({
    ...{ entries: () => [], withoutDefaults: () => [], libraries: () => [], networkProjects: () => [] },
    ...{ home, dataFolder: data, temporaryFolders: [tmpdir()] },
  });
}

/** A session of the engine in the project of the decoys, ready to run programs. */
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
