/** The engine of new sessions, of those that are found. */
import type { EngineName } from '../../electron/contract/model';
import { type Option, Select } from '../parts/field';
import { engineTitle } from '../parts/format';
import { useLive, useServices, useWords } from '../services';

export function EngineChoice({ engine }: { engine: EngineName | undefined }) {
  const words = useWords();
  const { actions } = useServices();
  const engines = useLive((state) => state.status?.engines) ?? [];
  const started = engines.filter(({ servers }) => servers === undefined);
  const found: Option<EngineName | ''>[] = started.map((candidate) => ({
    value: candidate.engine,
    title: candidate.available
      ? engineTitle(candidate.engine)
      : words.settings.engineNotFound(engineTitle(candidate.engine)),
    disabled: !candidate.available && candidate.engine !== engine,
  }));
  return (
    <Select
      label={words.settings.engine}
      value={engine ?? ''}
      options={[{ value: '', title: words.settings.engineUsual }, ...found]}
      onChange={(chosen) => void actions.changeSettings({ engine: chosen || undefined })}
    />
  );
}
