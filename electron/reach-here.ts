/** How this user's programs find the harbor of a data folder, or start a hidden one. */
import type { DataFolder } from './data-folder';
import type { ReachOptions } from './endpoints/harbor-reach';
import { type PassedOn, startHidden } from './hidden-start';
import { lockHolder } from './lock';

export function reachHere(folder: DataFolder, options: PassedOn): ReachOptions {
  return {
    socketPath: () => lockHolder(folder.lock)?.socket ?? folder.socket,
    isHeld: () => lockHolder(folder.lock) !== null,
    startHarbor: () => startHidden(folder, options),
  };
}
