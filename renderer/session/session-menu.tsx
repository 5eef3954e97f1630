/** Everything that can be done with a session, in one menu. */
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { MenuTrigger } from 'react-aria-components';
import type { SessionView } from '../../electron/contract/model';
import { IconButton } from '../parts/button';
import { Menu, MenuItem } from '../parts/popup-menu';
import { useServices } from '../services';
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
  const { actions } = useServices();
  const [attaching, setAttaching] = useState(false);
  const [allowing, setAllowing] = useState(false);
  const [naming, setNaming] = useState(false);
  const [ending, setEnding] = useState(false);
  const [restarting, setRestarting] = useState(false);
  const [named, setNamed] = useState(false);
  const { id, state, hold, rawLisp, trustTags, slime, checkpoints, runningEvaluation } = session;
  const hasImage = !['ended', 'lost', 'asleep'].includes(state);
  return (
    <>
      <MenuTrigger>
        <IconButton icon={Ellipsis} label={label} />
        <Menu label={label}>
          <MenuItem
            title="Interrupt"
            about="What runs, whoever asked for it; its state is kept"
            isDisabled={state !== 'running'}
            onChoose={() => void actions.interrupt(id)}
          />
          <MenuItem
            title="Force stop"
            about="Ends what runs with its image; definitions come back in the next one"
            isDisabled={state !== 'running' || runningEvaluation === null}
            onChoose={() => runningEvaluation !== null && void actions.stop(id, runningEvaluation, true)}
          />
          <MenuItem
            title="Restart…"
            about="Another image, with what of its state can be brought back"
            isDisabled={state === 'ended' || state === 'asleep'}
            onChoose={() => setRestarting(true)}
          />
          <MenuItem
            title="Name and note…"
            about={session.note === '' ? 'What you call it' : session.note}
            isDisabled={!hasImage}
            onChoose={() => setNamed(true)}
          />
          {checkpoints && (
            <MenuItem
              title="Checkpoints"
              about="Save the whole state, go back to one, or begin another session from it"
              onChoose={() => actions.openTab(id, 'checkpoints')}
            />
          )}
          {hold !== null && (
            <MenuItem
              title={hold ? 'Let errors go' : 'Hold errors'}
              about={
                hold
                  ? 'Agents’ errors return to the top level again'
                  : 'Agents’ errors wait in the debugger for a restart'
              }
              isDisabled={state === 'ended' || state === 'asleep'}
              onChoose={() => void actions.hold(id, !hold)}
            />
          )}
          <MenuItem
            title="Export…"
            about="Definitions that no file holds, as source"
            isDisabled={!hasImage}
            onChoose={() => void actions.exportSession(id)}
          />
          <MenuItem
            title="Export as notebook…"
            about="What was evaluated and what came of it, for Jupyter"
            isDisabled={state === 'ended'}
            onChoose={() => void actions.exportNotebook(id)}
          />
          {slime && (
            <MenuItem
              title="Attach Emacs…"
              about="Work in this very image with SLIME"
              isDisabled={state === 'ended'}
              onChoose={() => setAttaching(true)}
            />
          )}
          {trustTags && (
            <MenuItem
              title="Allow trust tags…"
              about={
                trustTags.length > 0
                  ? `Allowed: ${trustTags.join(', ')}`
                  : 'To the system’s own books, by name'
              }
              isDisabled={!hasImage}
              onChoose={() => setNaming(true)}
            />
          )}
          {rawLisp !== undefined && (
            <MenuItem
              title={rawLisp ? 'Raw Lisp is allowed' : 'Allow raw Lisp…'}
              about="Trust tags too, until its image ends: its results could then be forged, and say so"
              isDisabled={rawLisp || !hasImage}
              onChoose={() => setAllowing(true)}
            />
          )}
          <MenuItem
            title="End session…"
            about="For good; what would be lost is said first"
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
