/**
 * What a first start offers: the command that installs a Lisp, and the programs that could be connected. Nothing is done
 * unless a person does it. It goes when both are seen to or it is put away, and does not come back.
 */
import { CircleCheck, Info, PackagePlus, Plug } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ConnectView } from '../../electron/contract/connections';
import type { EngineFound } from '../../electron/contract/model';
import type { Settings } from '../../electron/contract/settings';
import { useConnections, useSettings } from '../bridge-queries';
import { ConnectDialog } from '../clients/connect-dialog';
import { Button } from '../parts/button';
import { engineTitle, shortenPath } from '../parts/format';
import { Row, Rows } from '../parts/rows';
import { Sentence } from '../parts/sentence';
import { useLive, useServices, useWords } from '../services';
import { InstallMissing } from './install-missing';
import { lispsHere, stepsLeft } from './steps-left';

export function FirstSteps() {
  const { data: settings } = useSettings();
  const { data: programs } = useConnections();
  const engines = useLive((state) => state.status?.engines);
  if (!settings?.firstSteps || !programs || !engines) return null;
  return <Steps settings={settings} programs={programs} engines={engines} />;
}

interface StepsProps {
  settings: Settings;
  programs: readonly ConnectView[];
  engines: readonly EngineFound[];
}

function Steps({ settings, programs, engines }: StepsProps) {
  const { firstSteps: words } = useWords();
  const { actions } = useServices();
  const { lisp, programs: waiting, done } = stepsLeft(engines, settings, programs);
  const putAway = () => void actions.changeSettings({ firstSteps: false });
  useEffect(() => {
    if (done) void actions.changeSettings({ firstSteps: false });
  }, [done, actions]);
  if (!lisp && waiting.length === 0) return null;
  return (
    <Rows title={words.title}>
      <ul>
        <Lisps engines={engines} lacking={lisp} />
        {waiting.map((program) => (
          <Found key={program.name} program={program} />
        ))}
        <Row icon={Info} title={words.unasked} about={words.unaskedAbout}>
          <Button onPress={putAway}>{words.putAway}</Button>
        </Row>
      </ul>
    </Rows>
  );
}

function Lisps({ engines, lacking }: { engines: readonly EngineFound[]; lacking: boolean }) {
  const { firstSteps: words } = useWords();
  const here = lispsHere(engines).map(({ engine, version }) =>
    [engineTitle(engine), version].join(' ').trim(),
  );
  const found = here.length > 0 ? words.found(here) : words.noneFound;
  if (!lacking) return <Row icon={CircleCheck} tone="good" title={found} about={words.onSbcl} />;
  return (
    <>
      <Row icon={PackagePlus} tone="warn" title={found} about={words.noSbcl} />
      <InstallMissing engines={engines} />
    </>
  );
}

function Found({ program }: { program: ConnectView }) {
  const { firstSteps: words } = useWords();
  const [asking, setAsking] = useState(false);
  const { title, file } = program;
  return (
    <Row
      icon={Plug}
      title={<Sentence of={words.isHere(<b>{title}</b>)} />}
      about={file && shortenPath(file, 56)}
    >
      <Button onPress={() => setAsking(true)} aria-label={words.connectProgram(title)}>
        {words.connect}
      </Button>
      {asking && <ConnectDialog program={program} action="add" onClose={() => setAsking(false)} />}
    </Row>
  );
}
