/** Everything that can be done with a session, in one menu. */
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { MenuTrigger } from 'react-aria-components';
import type { SessionView } from '../../electron/contract/model';
import { IconButton } from '../parts/button';
import { Menu, MenuItem } from '../parts/popup-menu';
import { useServices, useWords } from '../services';
import { AllowRawLisp } from './allow-raw-lisp';
import { AllowTrustTags } from './allow-trust-tags';
import { AttachEmacs } from './attach-emacs';
import { EndSessions } from './end-sessions';
import { NameSession } from './name-session';
import { RestartSession } from './restart-session';

interface SessionMenuProps {
  session: SessionView;
  /** The name of its button. */
  label: string;
}

export function SessionMenu({ session, label }: SessionMenuProps) {
  const words = useWords();
  const { actions } = useServices();
  const [attaching, setAttaching] = useState(false);
  const [allowing, setAllowing] = useState(false);
  const [naming, setNaming] = useState(false);
  const [ending, setEnding] = useState(false);
  const [restarting, setRestarting] = useState(false);
  const [named, setNamed] = useState(false);
  const { id, state, hold, rawLisp, trustTags, slime, checkpoints, runningEvaluation } = session;
  const { sessionMenu: menu } = words;
  const hasImage = !['ended', 'lost', 'asleep'].includes(state);
  return (
    <>
      <MenuTrigger>
        <IconButton icon={Ellipsis} label={label} />
        <Menu label={label}>
          <MenuItem
            title={words.commands.titles['session:interrupt']}
            about={menu.interruptAbout}
            isDisabled={state !== 'running'}
            onChoose={() => void actions.interrupt(id)}
          />
          <MenuItem
            title={words.session.forceStop}
            about={menu.forceStopAbout}
            isDisabled={state !== 'running' || runningEvaluation === null}
            onChoose={() => runningEvaluation !== null && void actions.stop(id, runningEvaluation, true)}
          />
          <MenuItem
            title={menu.restart}
            about={menu.restartAbout}
            isDisabled={state === 'ended' || state === 'asleep'}
            onChoose={() => setRestarting(true)}
          />
          <MenuItem
            title={menu.nameAndNote}
            about={session.note === '' ? menu.nameAndNoteAbout : session.note}
            isDisabled={!hasImage}
            onChoose={() => setNamed(true)}
          />
          {checkpoints && (
            <MenuItem
              title={words.session.tabs.checkpoints}
              about={menu.checkpointsAbout}
              onChoose={() => actions.openTab(id, 'checkpoints')}
            />
          )}
          {hold !== null && (
            <MenuItem
              title={hold ? menu.letGo : menu.hold}
              about={hold ? menu.letGoAbout : menu.holdAbout}
              isDisabled={state === 'ended' || state === 'asleep'}
              onChoose={() => void actions.hold(id, !hold)}
            />
          )}
          <MenuItem
            title={words.commands.titles['session:export']}
            about={menu.exportAbout}
            isDisabled={!hasImage}
            onChoose={() => void actions.exportSession(id)}
          />
          <MenuItem
            title={words.commands.titles['session:notebook']}
            about={menu.notebookAbout}
            isDisabled={state === 'ended'}
            onChoose={() => void actions.exportNotebook(id)}
          />
          {slime && (
            <MenuItem
              title={menu.attachEmacs}
              about={menu.attachEmacsAbout}
              isDisabled={state === 'ended'}
              onChoose={() => setAttaching(true)}
            />
          )}
          {trustTags && (
            <MenuItem
              title={menu.trustTags}
              about={trustTags.length > 0 ? menu.trustTagsAllowed(trustTags) : menu.trustTagsAbout}
              isDisabled={!hasImage}
              onChoose={() => setNaming(true)}
            />
          )}
          {rawLisp !== undefined && (
            <MenuItem
              title={rawLisp ? menu.rawLispAllowed : menu.rawLisp}
              about={menu.rawLispAbout}
              isDisabled={rawLisp || !hasImage}
              onChoose={() => setAllowing(true)}
            />
          )}
          <MenuItem
            title={menu.end}
            about={menu.endAbout}
            isDisabled={state === 'ended'}
            onChoose={() => setEnding(true)}
          />
        </Menu>
      </MenuTrigger>
      {restarting && <RestartSession session={session} onClose={() => setRestarting(false)} />}
      {named && <NameSession session={session} onClose={() => setNamed(false)} />}
      {ending && <EndSessions sessions={[session]} onClose={() => setEnding(false)} />}
      {attaching && <AttachEmacs session={session} onClose={() => setAttaching(false)} />}
      {naming && <AllowTrustTags session={session} onClose={() => setNaming(false)} />}
      {allowing && <AllowRawLisp session={session} onClose={() => setAllowing(false)} />}
    </>
  );
}
