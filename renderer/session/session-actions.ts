/** The table of actions on a session, used by its menu, the palette, the application menu and shortcuts. */

import type { SessionView } from '../../electron/contract/model';
import type { Words } from '../../electron/words/words';
import type { Actions } from '../actions';

/** Dialogs that actions open. */
export type SessionDialog = 'restart' | 'name' | 'editor' | 'trust-tags' | 'raw-lisp' | 'end';

export type SessionActionId =
  | `session:${SessionDialog}`
  | 'session:interrupt'
  | 'session:force-stop'
  | 'session:checkpoints'
  | 'session:hold'
  | 'session:export'
  | 'session:notebook';

export interface SessionAction {
  id: SessionActionId;
  standard?: string;
  /** The title for a session, or without a specific session. */
  title: (words: Words, session?: SessionView) => string;
  about: (words: Words, session: SessionView) => string;
  /** Whether the action only shows a tab. The palette lists all tabs itself. */
  showsTab?: true;
  /** Reports whether the session supports the action; absent if every session does. */
  offered?: (session: SessionView) => boolean;
  enabled: (session: SessionView) => boolean;
  run: (session: SessionView) => unknown;
}

export const hasImage = ({ state }: SessionView): boolean => !['ended', 'lost', 'asleep'].includes(state);
const isRunning = ({ state }: SessionView): boolean => state === 'running';
const hasNotEnded = ({ state }: SessionView): boolean => state !== 'ended';
const isThere = ({ state }: SessionView): boolean => state !== 'ended' && state !== 'asleep';

/** @param openDialog opens a dialog of the session */
export function sessionActions(
  actions: Actions,
  openDialog: (session: SessionView, dialog: SessionDialog) => void,
): readonly SessionAction[] {
  return [
    {
      id: 'session:interrupt',
      standard: 'Mod+.',
      title: ({ sessionMenu }) => sessionMenu.interrupt,
      about: ({ sessionMenu }) => sessionMenu.interruptAbout,
      enabled: isRunning,
      run: ({ id }) => actions.harbor.sessions.interrupt({ session: id }),
    },
    {
      id: 'session:force-stop',
      title: ({ session }) => session.forceStop,
      about: ({ sessionMenu }) => sessionMenu.forceStopAbout,
      enabled: (session) => isRunning(session) && session.runningEvaluation !== null,
      run: ({ id, runningEvaluation: running }) =>
        running !== null && actions.harbor.sessions.stop({ session: id, evaluation: running, byForce: true }),
    },
    {
      id: 'session:restart',
      title: ({ sessionMenu }) => sessionMenu.restart,
      about: ({ sessionMenu }) => sessionMenu.restartAbout,
      enabled: isThere,
      run: (session) => openDialog(session, 'restart'),
    },
    {
      id: 'session:name',
      title: ({ sessionMenu }) => sessionMenu.nameAndNote,
      about: ({ sessionMenu }, { note }) => note || sessionMenu.nameAndNoteAbout,
      enabled: hasImage,
      run: (session) => openDialog(session, 'name'),
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
      title: ({ sessionMenu }, session) =>
        session?.hold ? sessionMenu.returnErrors : sessionMenu.suspendErrors,
      about: ({ sessionMenu }, { hold }) =>
        hold ? sessionMenu.returnErrorsAbout : sessionMenu.suspendErrorsAbout,
      offered: ({ hold }) => hold !== null,
      enabled: isThere,
      run: ({ id, hold }) => actions.harbor.sessions.hold({ session: id, hold: !hold }),
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
      id: 'session:editor',
      title: ({ sessionMenu }) => sessionMenu.attachEditor,
      about: ({ sessionMenu }) => sessionMenu.attachEditorAbout,
      enabled: hasNotEnded,
      run: (session) => openDialog(session, 'editor'),
    },
    {
      id: 'session:trust-tags',
      title: ({ sessionMenu }) => sessionMenu.trustTags,
      about: ({ sessionMenu }, { trustTags }) =>
        trustTags?.length ? sessionMenu.trustTagsAllowed(trustTags) : sessionMenu.trustTagsAbout,
      offered: ({ trustTags }) => Boolean(trustTags),
      enabled: hasImage,
      run: (session) => openDialog(session, 'trust-tags'),
    },
    {
      id: 'session:raw-lisp',
      title: ({ sessionMenu }, session) =>
        session?.rawLisp ? sessionMenu.rawLispAllowed : sessionMenu.rawLisp,
      about: ({ sessionMenu }) => sessionMenu.rawLispAbout,
      offered: ({ rawLisp }) => rawLisp !== undefined,
      enabled: (session) => !session.rawLisp && hasImage(session),
      run: (session) => openDialog(session, 'raw-lisp'),
    },
    {
      id: 'session:end',
      title: ({ sessionMenu }) => sessionMenu.end,
      about: ({ sessionMenu }) => sessionMenu.endAbout,
      enabled: hasNotEnded,
      run: (session) => openDialog(session, 'end'),
    },
  ];
}
