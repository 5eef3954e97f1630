/** States and effects of a session as short text, so that a table of transitions can be read. */
import type { Effect, State, Transition, Turn } from '../../electron/sessions/session/session-state';

/** Such as `running 2 inside 1; waits: 3 at 1, reset 4 · interrupt 2 cooperative`. What watchers are told is left out. */
export function transitionText({ state, effects }: Transition): string {
  const told = effects.filter((effect) => effect.do !== 'publish');
  return [stateText(state), ...told.map(effectText)].join(' · ');
}

export function stateText(state: State): string {
  const { waiting, begun, ladder } = state;
  const shown = new Set([
    ...('suspended' in state ? state.suspended : []),
    'running' in state ? state.running : null,
  ]);
  const silent = begun.filter((id) => !shown.has(id));
  return [
    doingText(state),
    ...(silent.length > 0 ? [`untold: ${silent.join(' ')}`] : []),
    ...(waiting.length > 0 ? [`waits: ${waiting.map(turnText).join(', ')}`] : []),
    ...(ladder ? [`stops ${ladder.target}: ${ladder.on} ${ladder.step}`] : []),
  ].join('; ');
}

function doingText(state: State): string {
  switch (state.is) {
    case 'running':
      return ['running', [state.running, ...state.suspended.toReversed()].join(' inside ')].join(' ');
    case 'debugger':
      return `debugger ${state.suspended.join(' ')}`;
    case 'replacing':
      return `replacing${state.isImageLost ? ' what is gone' : ''} for ${state.turn ? turnText(state.turn) : 'nobody'}`;
    case 'starting':
      return `starting for ${state.turn ? turnText(state.turn) : 'nobody'}`;
    case 'lost':
    case 'ended':
      return state.running === null ? state.is : `${state.is}, ${state.running} runs`;
    case 'idle':
      return 'idle';
  }
}

function turnText(turn: Turn): string {
  if (turn.for !== 'evaluation') return `${turn.for} ${turn.id}`;
  return turn.level > 0 ? `${turn.id} at ${turn.level}` : `${turn.id}`;
}

function effectText(effect: Effect): string {
  switch (effect.do) {
    case 'reject':
      return `${effect.as} ${effect.id}`;
    case 'interrupt':
      return `interrupt ${effect.id} ${effect.step}${effect.level > 0 ? ` at ${effect.level}` : ''}`;
    case 'answer':
      return `answer ${effect.id}${effect.problem === null ? '' : ' with the problem'}`;
    case 'startImage':
      return effect.id === null ? 'startImage' : `startImage ${effect.id}`;
    default:
      return 'id' in effect ? `${effect.do} ${effect.id}` : effect.do;
  }
}
