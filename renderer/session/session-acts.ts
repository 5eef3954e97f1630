/** Everything that can be done with a session, each once: its menu, the palette, the application menu and shortcuts read this table. */
import type { SessionView } from '../../electron/contract/model';
import type { Words } from '../../electron/words/words';
import type { Actions } from '../actions';

/** What asks or tells more before anything is done. */
export type SessionDialog = 'restart' | 'name' | 'emacs' | 'trust-tags' | 'raw-lisp' | 'end';

export type SessionActId =
  | `session:${SessionDialog}`
  | 'session:interrupt'
  | 'session:force-stop'
  | 'session:checkpoints'
  | 'session:hold'
  | 'session:export'
  | 'session:notebook';

export interface SessionAct {
  id: SessionActId;
  standard?: string;
  /** For a session, or for whichever will be shown. */
  title: (words: Words, session?: SessionView) => string;
  about: (words: Words, session: SessionView) => string;
  /** Whether it only shows a tab, as the palette does for every tab. */
  showsTab?: true;
  /** Whether a session has it at all; absent: every one has. */
  offered?: (session: SessionView) => boolean;
  enabled: (session: SessionView) => boolean;
  run: (session: SessionView) => unknown;
}

export const hasImage = ({ state }: SessionView): boolean => !['ended', 'lost', 'asleep'].includes(state);
const isRunning = ({ state }: SessionView): boolean => state === 'running';
const hasNotEnded = ({ state }: SessionView): boolean => state !== 'ended';
const isThere = ({ state }: SessionView): boolean => state !== 'ended' && state !== 'asleep';

/** @param ask opens a dialog of the session */
export function sessionActs(
  actions: Actions,
  ask: (session: SessionView, dialog: SessionDialog) => void,
): readonly SessionAct[] {
  return [
    {
      id: 'session:interrupt',
      standard: 'Mod+.',
      title: ({ sessionMenu }) => sessionMenu.interrupt,
      about: ({ sessionMenu }) => sessionMenu.interruptAbout,
      enabled: isRunning,
      run: ({ id }) => actions.interrupt(id),
    },
    {
      id: 'session:force-stop',
      title: ({ session }) => session.forceStop,
      about: ({ sessionMenu }) => sessionMenu.forceStopAbout,
      enabled: (session) => isRunning(session) && session.runningEvaluation !== null,
      run: ({ id, runningEvaluation: running }) => running !== null && actions.stop(id, running, true),
    },
    {
      id: 'session:restart',
      title: ({ sessionMenu }) => sessionMenu.restart,
      about: ({ sessionMenu }) => sessionMenu.restartAbout,
      enabled: isThere,
      run: (session) => ask(session, 'restart'),
    },
    {
      id: 'session:name',
      title: ({ sessionMenu }) => sessionMenu.nameAndNote,
      about: ({ sessionMenu }, { note }) => note || sessionMenu.nameAndNoteAbout,
      enabled: hasImage,
      run: (session) => ask(session, 'name'),
    },
    {
      id: 'session:checkpoints',
      showsTab: true,
      title: ({ session }) => session.tabs.checkpoints,
      about: ({ sessionMenu }) => sessionMenu.checkpointsAbout,
      offered: ({ checkpoints }) => Boolean(checkpoints),
      enabled: () => true,
      run: ({ id }) => actions.openTab(id, 'checkpoints'),
    },
    {
      id: 'session:hold',
      title: ({ sessionMenu }, session) => (session?.hold ? sessionMenu.letGo : sessionMenu.hold),
      about: ({ sessionMenu }, { hold }) => (hold ? sessionMenu.letGoAbout : sessionMenu.holdAbout),
      offered: ({ hold }) => hold !== null,
      enabled: isThere,
      run: ({ id, hold }) => actions.hold(id, !hold),
    },
    {
      id: 'session:export',
      title: ({ sessionMenu }) => sessionMenu.export,
      about: ({ sessionMenu }) => sessionMenu.exportAbout,
      enabled: hasImage,
      run: ({ id }) => actions.exportSession(id),
    },
    {
      id: 'session:notebook',
      title: ({ sessionMenu }) => sessionMenu.notebook,
      about: ({ sessionMenu }) => sessionMenu.notebookAbout,
      enabled: hasNotEnded,
      run: ({ id }) => actions.exportNotebook(id),
    },
    {
      id: 'session:emacs',
      title: ({ sessionMenu }) => sessionMenu.attachEmacs,
      about: ({ sessionMenu }) => sessionMenu.attachEmacsAbout,
      offered: ({ slime }) => Boolean(slime),
      enabled: hasNotEnded,
      run: (session) => ask(session, 'emacs'),
    },
    {
      id: 'session:trust-tags',
      title: ({ sessionMenu }) => sessionMenu.trustTags,
      about: ({ sessionMenu }, { trustTags }) =>
        trustTags?.length ? sessionMenu.trustTagsAllowed(trustTags) : sessionMenu.trustTagsAbout,
      offered: ({ trustTags }) => Boolean(trustTags),
      enabled: hasImage,
      run: (session) => ask(session, 'trust-tags'),
    },
    {
      id: 'session:raw-lisp',
      title: ({ sessionMenu }, session) =>
        session?.rawLisp ? sessionMenu.rawLispAllowed : sessionMenu.rawLisp,
      about: ({ sessionMenu }) => sessionMenu.rawLispAbout,
      offered: ({ rawLisp }) => rawLisp !== undefined,
      enabled: (session) => !session.rawLisp && hasImage(session),
      run: (session) => ask(session, 'raw-lisp'),
    },
    {
      id: 'session:end',
      title: ({ sessionMenu }) => sessionMenu.end,
      about: ({ sessionMenu }) => sessionMenu.endAbout,
      enabled: hasNotEnded,
      run: (session) => ask(session, 'end'),
    },
  ];
}
