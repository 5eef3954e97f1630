/** Whoever's evaluation somebody else let go on, or gave up, in the debugger: its notes tell what was chosen, and by whom. */
import type { Departure } from '../../contract/debugger';
import type { Debugger, RestartChoice } from '../../images/optional-groups';
import type { RunningEvaluation } from './running-evaluation';
import { whoIs } from './told-by-whom';

/** @param held what is held, the outermost level first */
export async function tellingChoice(
  client: string,
  choice: string,
  held: readonly RunningEvaluation[],
  leave: () => Promise<Departure>,
): Promise<Departure> {
  const note = `${whoIs(client)} chose ${choice}.`;
  const others = held.filter(({ row }) => row.client !== client);
  // Told before, because what is let go on may end before this hears of it.
  for (const evaluation of others) evaluation.tell(note);
  const takeBack = (from: readonly RunningEvaluation[]) => {
    for (const evaluation of from) evaluation.takeBack(note);
  };
  try {
    const departure = await leave();
    const left = held.findIndex(({ id }) => id === departure.evaluation);
    takeBack(left === -1 ? held : held.slice(0, left));
    return departure;
  } catch (error) {
    takeBack(held);
    throw error;
  }
}

/** The debugger of what is held, which tells of each restart that it was chosen. A step is none. */
export function tellingDebugger(
  offered: Debugger,
  client: string,
  held: readonly RunningEvaluation[],
): Debugger {
  return {
    show: (page) => offered.show(page),
    frame: (index) => offered.frame(index),
    step: (way) => offered.step(way),
    restart: (choice) =>
      tellingChoice(client, restartText(choice, held), held, () => offered.restart(choice)),
    abort: (level) =>
      tellingChoice(
        client,
        `to give up, back to ${level === 0 ? 'the top level' : `level ${level}`}`,
        held,
        () => offered.abort(level),
      ),
  };
}

/** By its name, since what a number means is gone with the level. */
function restartText(
  { restart, arguments: forms = [], frame }: RestartChoice,
  held: readonly RunningEvaluation[],
): string {
  const offered = held.at(-1)?.held?.restarts ?? [];
  const name = typeof restart === 'number' ? (offered[restart]?.name ?? restart) : restart.toUpperCase();
  const given = forms.length === 0 ? '' : ` with ${forms.join(', ')}`;
  return `the restart ${name}${given}${frame === undefined ? '' : ` at frame ${frame}`}`;
}
