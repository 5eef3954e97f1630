/** The engines of this harbor, in the order in which a default is chosen. */
import type { DataFolder } from './data-folder';
import { Engines } from './images/discovery';
import { NbbEngine } from './images/nbb/engine';
import { SbclEngine } from './images/sbcl/engine';
import { SwankEngine } from './images/swank/engine';
import type { Log } from './log';
import type { Options } from './options';
import { places } from './places';
import type { SettingsFile } from './settings';

export function enginesHere(
  options: Pick<Options, 'engine'>,
  folder: Pick<DataFolder, 'cores'>,
  settings: SettingsFile,
  log: Log,
): Engines {
  return new Engines(
    [
      new SbclEngine({
        sources: places.lisp,
        cores: folder.cores,
        heapMiB: () => settings.current.sbclHeapMiB,
        log,
      }),
      new NbbEngine(places.nbb),
      new SwankEngine({ sources: places.swank, named: () => settings.current.servers }),
    ],
    () => options.engine ?? settings.current.engine,
  );
}
