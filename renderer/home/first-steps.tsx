/**
 * First steps after the first start: the command that installs a Lisp, and programs to connect. Nothing
 * happens without the user. The steps disappear when both are done or the user dismisses them.
 */

import { useQuery } from '@tanstack/react-query';
import { CircleCheck, FolderGit2, Info, PackagePlus, Plug } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ConnectView } from '../../electron/contract/clients';
import type { Missing } from '../../electron/contract/harbor-status';
import type { EngineFound } from '../../electron/contract/model';
import type { Settings } from '../../electron/contract/settings';
import { call } from '../bridge';
import { useConnections, useSettings } from '../bridge-queries';
import { ConnectDialog } from '../clients/connect-dialog';
import { Button, CopyButton } from '../parts/button';
import { Checkbox } from '../parts/field';
import { engineTitle, shortenPath } from '../parts/format';
import { Row, Rows } from '../parts/list';
import { Sentence, Unavailable } from '../parts/text';
import { useLive, useServices, useWords } from '../services';
import styles from './first-steps.module.css';

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
  const dismiss = () => void actions.changeSettings({ firstSteps: false });
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
        <GitStep />
        <Row icon={Info} title={words.unasked} about={words.unaskedAbout}>
          <Button onPress={dismiss}>{words.dismiss}</Button>
        </Row>
      </ul>
    </Rows>
  );
}

/** Shown while Git is installed and takes any folder of that structure for a repository. */
function GitStep() {
  const { firstSteps: words } = useWords();
  const { actions } = useServices();
  const { data, refetch } = useQuery({ queryKey: ['git'], queryFn: () => call('git:read', null) });
  if (data !== false) return null;
  const guard = async () => {
    await actions.harbor.git.guard();
    await refetch();
  };
  return (
    <Row icon={FolderGit2} title={words.git} about={words.gitAbout}>
      <Button onPress={() => void guard()}>{words.gitGuard}</Button>
    </Row>
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

// The command that installs the selected missing programs. It is copied, never run.

/** Selected initially: the default engine and the sandbox. */
const USUAL: ReadonlySet<Missing['brings']> = new Set<Missing['brings']>(['sbcl', 'bubblewrap']);

function InstallMissing({ engines }: { engines: readonly EngineFound[] }) {
  const { firstSteps: words } = useWords();
  const { data, refetch, isFetching } = useQuery({
    queryKey: ['installable'],
    queryFn: () => call('harbor:look', null),
    refetchOnWindowFocus: true,
  });
  const [changed, setChanged] = useState<ReadonlyMap<Missing['brings'], boolean>>(new Map());
  const wanted = ({ brings }: Missing) => changed.get(brings) ?? USUAL.has(brings);
  if (data === undefined) return null;
  const reason = engines.find(({ engine }) => engine === 'sbcl')?.reason;
  const look = (
    <Button isDisabled={isFetching} onPress={() => void refetch()}>
      {words.lookAgain}
    </Button>
  );
  if (data === null)
    return (
      <li className={styles.install}>
        {reason && (
          <p className={styles.about}>
            <Unavailable reason={reason} />
          </p>
        )}
        {look}
      </li>
    );
  const packages = data.missing.filter(wanted).flatMap((each) => each.packages);
  const command = [data.command, ...packages].join(' ');
  return (
    <li className={styles.install}>
      <fieldset className={styles.choices} aria-label={words.whatToInstall}>
        {data.missing.map((each) => (
          <Checkbox
            key={each.brings}
            label={each.brings === 'bubblewrap' ? words.bubblewrap : engineTitle(each.brings)}
            checked={wanted(each)}
            onChange={(on) => setChanged(new Map(changed).set(each.brings, on))}
          />
        ))}
      </fieldset>
      {packages.length > 0 && (
        <div className={styles.command}>
          <code>{command}</code>
          <CopyButton text={command} what={words.command} />
        </div>
      )}
      {look}
    </li>
  );
}

/** The remaining first steps. */
interface StepsLeft {
  /** Whether SBCL is missing and the user has chosen no other engine. */
  lisp: boolean;
  /** Installed programs, if none is connected. */
  programs: readonly ConnectView[];
  /** Whether both steps are done. */
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

/** Available engines with their versions. */
function lispsHere(engines: readonly EngineFound[]): EngineFound[] {
  return engines.filter(({ available, servers }) => available && !servers);
}

function isHere(engines: readonly EngineFound[], name: string): boolean {
  return engines.some(({ engine, available }) => engine === name && available);
}
