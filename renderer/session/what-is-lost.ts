/** What is lost and what stays when an image dies or ends with its session, as sentences. Pure. */
import type { SessionView } from '../../electron/contract/model';

/** For a session whose image died: what its next image begins with. */
export function imageDiedText({
  comesBack: { checkpoint, definitions },
  lostBecause,
  server,
}: Pick<SessionView, 'comesBack' | 'lostBecause' | 'server'>): string {
  if (server) return `The connection to ${server.host}:${server.port} is gone. ${disconnectedText(server)}`;
  if (checkpoint === null && !definitions)
    return `${gone(lostBecause)} Its state is lost. Evaluate anything to get a fresh image, or close the session.`;
  const died = `${gone(lostBecause)} The next evaluation gets a new one`;
  const again = 'definitions are evaluated again from the history.';
  if (checkpoint === null) return `${died}, in which ${again} Other state is lost.`;
  return definitions
    ? `${died} from checkpoint ${checkpoint}, in which later ${again} Anything else done since is lost.`
    : `${died} from checkpoint ${checkpoint}. What was done since is lost.`;
}

/** What has ended the image, the harbor itself included. */
function gone(because: string | null): string {
  return because === null
    ? 'The image of this session died.'
    : `The image of this session is gone, because ${because}.`;
}

/** For a session that a person is about to give another image. */
export function restartText({
  comesBack: { checkpoint, definitions },
  server,
  state,
}: Pick<SessionView, 'comesBack' | 'server' | 'state'>): string {
  const ends = state === 'running' || state === 'debugger' ? 'What runs or is held is ended. ' : '';
  if (server) return `${ends}The session is connected anew; its server goes on.`;
  const from = checkpoint === null ? '' : ` It begins from checkpoint ${checkpoint}.`;
  return definitions
    ? `${ends}The session gets a new image.${from} Definitions are evaluated again from the history; other state is lost.`
    : `${ends}The session gets a new image.${from} What was done since is lost.`;
}

/** For an evaluation that is being stopped and does not stop; null while the first step is still tried. */
export function stoppingText({ stopping, server }: Pick<SessionView, 'stopping' | 'server'>): string | null {
  if (!stopping) return null;
  const [end, ends] = server
    ? ['the connection is closed', 'The connection is closed']
    : ['its image is ended', 'Its image is ended'];
  switch (stopping.step) {
    case 'abort':
    case 'cooperative':
      return null;
    case 'insistent':
      return `Evaluation ${stopping.evaluation} has not stopped when it was interrupted. It is interrupted again, in its cleanups too; if that fails within some seconds, ${end}.`;
    case 'end':
      return `${ends}: evaluation ${stopping.evaluation} could not be stopped otherwise.`;
  }
}

/** For a session that sleeps since the harbor was started again: what it comes back with. */
export function asleepText({
  comesBack: { checkpoint, definitions },
  server,
}: Pick<SessionView, 'comesBack' | 'server'>): string {
  const when = 'It comes back when it is used';
  if (server) return `${when}: it is then connected with ${server.host}:${server.port} again.`;
  if (checkpoint === null && !definitions) return `${when}, in a fresh image: its state is lost.`;
  const again = 'its definitions, which are evaluated again from the history';
  const from = checkpoint === null ? null : `the state of checkpoint ${checkpoint}`;
  return `${when}, with ${[from, definitions ? again : null].filter((each) => each !== null).join(' and ')}.`;
}

/** For a session of a server that somebody else runs. An nREPL server leaves a file that says where it is. */
function disconnectedText({ kind }: NonNullable<SessionView['server']>): string {
  const again =
    'It is tried again by itself; when the server is back, so is the session, without its state if it was started anew.';
  if (kind !== 'nrepl') return again;
  return `${again} If it does not come back: does the server run, does the project’s .nrepl-port name its port, and does “Attach…” with its host and port reach it?`;
}

/** For sessions that a person is about to end, at least one. */
export function endingText(
  sessions: readonly Pick<SessionView, 'checkpoints' | 'server' | 'state'>[],
): string {
  if (sessions.every(({ server }) => server !== undefined))
    return 'The server goes on, with whatever was defined in it. What was evaluated stays in the history.';
  if (sessions.every(({ state }) => state === 'asleep'))
    return 'Nobody can bring back what was defined there. What was evaluated stays in the history.';
  const [image, defined] =
    sessions.length === 1 ? ['Its image ends', 'in it'] : ['Their images end', 'in them'];
  const ends = `${image} and whatever was defined ${defined} is gone. What was evaluated stays in the history`;
  return sessions.some(({ checkpoints }) => checkpoints)
    ? `${ends}; saved checkpoints stay, and new sessions can begin from them.`
    : `${ends}.`;
}
