/** Sentences about what is lost and what is restored when an image dies or a session ends. Pure. */
import type { SessionView } from '../../electron/contract/model';
import type { Words } from '../../electron/words/words';

/** Describes the start of the next image of a session whose image died. */
export function imageDiedText(
  {
    comesBack: { checkpoint, definitions },
    lostBecause,
    server,
  }: Pick<SessionView, 'comesBack' | 'lostBecause' | 'server'>,
  { losses }: Words,
): string {
  if (server) {
    const cause = losses.connectionLost(`${server.host}:${server.port}`) + losses.reconnects;
    // An nREPL server writes its port to a file.
    return server.kind === 'nrepl' ? cause + losses.nreplHint : cause;
  }
  const cause = lostBecause === null ? losses.imageDied : losses.imageEnded(lostBecause);
  if (checkpoint === null) return cause + (definitions ? losses.definitionsAgain : losses.allLost);
  return cause + (definitions ? losses.checkpointAndDefinitions : losses.checkpointOnly)(checkpoint);
}

/** Describes a restart of the session. */
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

/** Describes an evaluation that does not stop; null while the first step is tried. */
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

/** Describes what is restored when a sleeping session wakes up. */
export function asleepText(
  { comesBack: { checkpoint, definitions }, server }: Pick<SessionView, 'comesBack' | 'server'>,
  { losses }: Words,
): string {
  if (server) return losses.asleepServer(`${server.host}:${server.port}`);
  if (checkpoint === null && !definitions) return losses.asleepFresh;
  const state = checkpoint === null ? [] : [losses.theCheckpoint(checkpoint)];
  return losses.asleepWith([...state, ...(definitions ? [losses.theDefinitions] : [])]);
}

/** Describes the end of sessions, at least one. */
export function endingText(
  sessions: readonly Pick<SessionView, 'checkpoints' | 'server' | 'state'>[],
  { losses }: Words,
): string {
  if (sessions.every(({ server }) => server !== undefined)) return losses.endServer;
  if (sessions.every(({ state }) => state === 'asleep')) return losses.endAsleep;
  const saved = sessions.some(({ checkpoints }) => checkpoints);
  return losses.end(sessions.length) + (saved ? losses.endCheckpoints : losses.endPlain);
}
