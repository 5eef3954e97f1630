/** Signals by the numbers that this system gives them. */
import { constants } from 'node:os';

export function signalNumbered(number: number): NodeJS.Signals | undefined {
  const names = Object.keys(constants.signals) as NodeJS.Signals[];
  return names.find((name) => constants.signals[name] === number);
}
