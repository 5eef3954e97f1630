/** The table of engines in docs/engines.md says what is true; for ECL and ABCL their own tests compare it, with images that run already. */
import { expect, it } from 'vitest';
import { EngineName } from '../../electron/contract/model';
import { Settings } from '../../electron/contract/settings';
import { composeEngines } from '../../electron/harbor/compose-sessions';
import { CORES } from '../shared-cores';
import { offered, promised } from './engines-table';
import { newForEachTest, start } from './nbb-fixture';
import { recordedLog, startImage } from './sbcl-fixture';

newForEachTest();

it('has the engines that a harbor starts, and no others: a server to attach to has what it has', () => {
  const started = composeEngines({
    cores: CORES,
    lemmas: CORES,
    books: undefined,
    trustTags: [],
    settings: { current: Settings.parse({}) },
    log: recordedLog(),
  }).flatMap(({ name, attach }) => (attach ? [] : [name]));
  const listed = EngineName.options.filter((engine) => {
    try {
      return promised(engine);
    } catch {
      return false;
    }
  });
  expect(listed.toSorted()).toEqual(started.toSorted());
});

it('is true of SBCL and nbb', async () => {
  expect(offered((await startImage()).image)).toEqual(promised('sbcl'));
  expect(offered(await start())).toEqual(promised('nbb'));
});
