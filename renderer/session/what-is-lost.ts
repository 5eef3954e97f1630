/** What is lost and what stays when an image dies or ends with its session, as sentences. Pure. */
import type { SessionView } from '../../electron/contract/model';
import type { Words } from '../../electron/words/words';

/** For a session whose image died: what its next image begins with. */
export function imageDiedText(
  {
    comesBack: { checkpoint, definitions },
    lostBecause,
    server,
  }: Pick<SessionView, 'comesBack' | 'lostBecause' | 'server'>,
  { losses }: Words,
): string {
  if (server) {
    const gone = losses.connectionGone(`${server.host}:${server.port}`) + losses.reconnects;
    // An nREPL server leaves a file that says where it is.
    return server.kind === 'nrepl' ? gone + losses.nreplGone : gone;
  }
  const gone = lostBecause === null ? losses.imageDied : losses.imageGone(lostBecause);
  if (checkpoint === null) return gone + (definitions ? losses.definitionsAgain : losses.allLost);
  return gone + (definitions ? losses.checkpointAndDefinitions : losses.checkpointOnly)(checkpoint);
}

/** For a session that a person is about to give another image. */
export function restartText(
  {
    comesBack: { checkpoint, definitions },
    server,
    state,
  }: Pick<SessionView, 'comesBack' | 'server' | 'state'>,
  { losses }: Words,
): string {
  const ends = state === 'running' || state === 'debugger' ? losses.restartEnds : '';
  if (server) return ends + losses.restartServer;
  const from = checkpoint === null ? '' : losses.fromCheckpoint(checkpoint);
  return ends + losses.newImage + from + (definitions ? losses.restartDefinitions : losses.restartLost);
}

/** For an evaluation that is being stopped and does not stop; null while the first step is still tried. */
export function stoppingText(
  { stopping, server }: Pick<SessionView, 'stopping' | 'server'>,
  { losses }: Words,
): string | null {
  if (!stopping) return null;
  switch (stopping.step) {
    case 'abort':
    case 'cooperative':
      return null;
    case 'insistent':
      return losses.insistent(stopping.evaluation, server !== undefined);
    case 'end':
      return losses.ending(stopping.evaluation, server !== undefined);
  }
}

/** For a session that sleeps since the harbor was started again: what it comes back with. */
export function asleepText(
  { comesBack: { checkpoint, definitions }, server }: Pick<SessionView, 'comesBack' | 'server'>,
  { losses }: Words,
): string {
  if (server) return losses.asleepServer(`${server.host}:${server.port}`);
  if (checkpoint === null && !definitions) return losses.asleepFresh;
  const state = checkpoint === null ? [] : [losses.theCheckpoint(checkpoint)];
  return losses.asleepWith([...state, ...(definitions ? [losses.theDefinitions] : [])]);
}

/** For sessions that a person is about to end, at least one. */
export function endingText(
  sessions: readonly Pick<SessionView, 'checkpoints' | 'server' | 'state'>[],
  { losses }: Words,
): string {
  if (sessions.every(({ server }) => server !== undefined)) return losses.endServer;
  if (sessions.every(({ state }) => state === 'asleep')) return losses.endAsleep;
  const saved = sessions.some(({ checkpoints }) => checkpoints);
  return losses.end(sessions.length) + (saved ? losses.endCheckpoints : losses.endPlain);
}
