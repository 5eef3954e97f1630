/** The menu that runs an evaluation again, in its engine: where it ran, in a new session, or in a branch of where it ran. */
import { ChevronDown, RotateCw } from 'lucide-react';
import { MenuTrigger } from 'react-aria-components';
import type { Evaluation } from '../../electron/contract/model';
import type { AgainWhere } from '../../electron/contract/run-again';
import { Button } from '../parts/button';
import { engineTitle } from '../parts/format';
import { Menu, MenuItem } from '../parts/popup-menu';
import { useLive, useServices, useWords } from '../services';

type Ran = Pick<Evaluation, 'id' | 'session' | 'engine' | 'kind'>;

/** What is code as it stands. */
const CODE: ReadonlySet<Evaluation['kind']> = new Set<Evaluation['kind']>(['eval', 'try', 'listener']);

interface RunAgainProps {
  evaluation: Ran;
  /** Is told of the evaluation that has begun. */
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

/** For menus that have more than these. */
export function RunAgainItems({ evaluation: { id, session, engine }, onBegun }: RunAgainProps) {
  const words = useWords();
  const { actions } = useServices();
  const known = useLive(({ sessions }) => sessions.get(session));
  const isThere = known !== undefined && known.state !== 'ended';
  const name = known?.name ?? session;
  const run = (where: AgainWhere) => () =>
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
