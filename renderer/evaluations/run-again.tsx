/** The menu that runs an evaluation again, in its engine: where it ran, in a new session, or in a branch of where it ran. */
import { ChevronDown, RotateCw } from 'lucide-react';
import { MenuTrigger } from 'react-aria-components';
import type { Evaluation } from '../../electron/contract/model';
import type { AgainWhere } from '../../electron/contract/run-again';
import { Button } from '../parts/button';
import { engineTitle } from '../parts/format';
import { Menu, MenuItem } from '../parts/popup-menu';
import { useLive, useServices } from '../services';

type Ran = Pick<Evaluation, 'id' | 'session' | 'engine' | 'kind'>;

/** What is code as it stands. */
const CODE: ReadonlySet<Evaluation['kind']> = new Set<Evaluation['kind']>(['eval', 'try', 'listener']);

interface RunAgainProps {
  evaluation: Ran;
  /** Is told of the evaluation that has begun. */
  onBegun: (id: number) => void;
}

export function RunAgain({ evaluation, onBegun }: RunAgainProps) {
  return (
    <MenuTrigger>
      <Button icon={RotateCw} isDisabled={!CODE.has(evaluation.kind)}>
        Run again
        <ChevronDown size={13} aria-hidden />
      </Button>
      <Menu label="Run again">
        <RunAgainItems evaluation={evaluation} onBegun={onBegun} />
      </Menu>
    </MenuTrigger>
  );
}

/** For menus that have more than these. */
export function RunAgainItems({ evaluation: { id, session, engine }, onBegun }: RunAgainProps) {
  const { actions } = useServices();
  const known = useLive(({ sessions }) => sessions.get(session));
  const isThere = known !== undefined && known.state !== 'ended';
  const name = known?.name ?? session;
  const run = (where: AgainWhere) => () =>
    void actions.runAgain(id, where).then((begun) => begun !== undefined && onBegun(begun));
  return (
    <>
      <MenuItem
        title="In the same session"
        about={isThere ? `${name}, as it is now` : `${name} has ended`}
        isDisabled={!isThere}
        onChoose={run('same')}
      />
      <MenuItem
        title="In a new session"
        about={`Of ${engineTitle(engine)}, with nothing defined yet`}
        onChoose={run('new')}
      />
      <MenuItem
        title="In a branch"
        about={isThere ? `A new session with the state of ${name}` : `${name} has ended`}
        isDisabled={!isThere}
        onChoose={run('branch')}
      />
    </>
  );
}
