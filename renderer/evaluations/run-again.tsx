/**
 * The menu that runs an evaluation again: in the same session, in a new session, or in a branch of the
 * session.
 */
import { ChevronDown, RotateCw } from 'lucide-react';
import { MenuTrigger } from 'react-aria-components';
import type { RunAgainSession } from '../../electron/contract/history';
import type { Evaluation } from '../../electron/contract/model';
import { Button, Menu, MenuItem } from '../parts/button';
import { engineTitle } from '../parts/format';

import { useLive, useServices, useWords } from '../services';

type Ran = Pick<Evaluation, 'id' | 'session' | 'engine' | 'kind'>;

/** Kinds of evaluation whose code can be run as it is. */
const CODE: ReadonlySet<Evaluation['kind']> = new Set<Evaluation['kind']>(['eval', 'try', 'listener']);

interface RunAgainProps {
  evaluation: Ran;
  /** Called with the id of the new evaluation. */
  onBegun: (id: number) => void;
}

export function RunAgain({ evaluation, onBegun }: RunAgainProps) {
  const words = useWords();
  return (
    <MenuTrigger>
      <Button icon={RotateCw} isDisabled={!CODE.has(evaluation.kind)}>
        {' '}
        {words.evaluations.runAgain} <ChevronDown size={13} aria-hidden />
      </Button>
      <Menu label={words.evaluations.runAgain}>
        <RunAgainItems evaluation={evaluation} onBegun={onBegun} />
      </Menu>
    </MenuTrigger>
  );
}

/** The menu items, for menus with other items. */
export function RunAgainItems({ evaluation: { id, session, engine }, onBegun }: RunAgainProps) {
  const words = useWords();
  const { actions } = useServices();
  const known = useLive(({ sessions }) => sessions.get(session));
  const isThere = known !== undefined && known.state !== 'ended';
  const name = known?.name ?? session;
  const run = (where: RunAgainSession) => () =>
    void actions.runAgain(id, where).then((begun) => begun !== undefined && onBegun(begun));
  return (
    <>
      <MenuItem
        title={words.evaluations.same}
        about={isThere ? words.evaluations.sameAbout(name) : words.evaluations.ended(name)}
        isDisabled={!isThere}
        onChoose={run('same')}
      />
      <MenuItem
        title={words.evaluations.new}
        about={words.evaluations.newAbout(engineTitle(engine))}
        onChoose={run('new')}
      />
      <MenuItem
        title={words.evaluations.branch}
        about={isThere ? words.evaluations.branchAbout(name) : words.evaluations.ended(name)}
        isDisabled={!isThere}
        onChoose={run('branch')}
      />
    </>
  );
}
