/** Which first steps are left: a Lisp to install, a program to connect. Pure. */
import type { ConnectView } from '../../electron/contract/connections';
import type { EngineFound } from '../../electron/contract/model';
import type { Settings } from '../../electron/contract/settings';

export interface StepsLeft {
  /** SBCL is not here, which is what sessions run on unless a person says otherwise. */
  lisp: boolean;
  /** Programs that are here, while none is connected. */
  programs: readonly ConnectView[];
  /** Both have been seen to. */
  done: boolean;
}

const CONNECTED: ReadonlySet<ConnectView['state']> = new Set<ConnectView['state']>([
  ...(['connected', 'moved', 'outdated', 'dropped'] as const),
]);

export function stepsLeft(
  engines: readonly EngineFound[],
  { engine }: Pick<Settings, 'engine'>,
  programs: readonly ConnectView[],
): StepsLeft {
  const lisp = engine === undefined && !isHere(engines, 'sbcl');
  const connected = programs.some(({ state }) => CONNECTED.has(state));
  return {
    lisp,
    programs: connected ? [] : programs.filter(({ state }) => state === 'ready'),
    done: !lisp && connected,
  };
}

/** The Lisps that run here, with their versions. */
export function lispsHere(engines: readonly EngineFound[]): EngineFound[] {
  return engines.filter(({ available, servers }) => available && !servers);
}

function isHere(engines: readonly EngineFound[], name: string): boolean {
  return engines.some(({ engine, available }) => engine === name && available);
}
