/** How images are confined here, what that does not keep out, and which sessions began before the list was changed. */
import { RotateCw, ShieldCheck } from 'lucide-react';
import type { SandboxView } from '../../electron/contract/allow-list';
import type { SessionId } from '../../electron/contract/model';
import { useRestartConfined, useSettings } from '../bridge-queries';
import { Button } from '../parts/button';
import { Checkbox } from '../parts/checkbox';
import { Problem } from '../parts/feedback';
import { NotSandboxed, sandboxReason } from '../parts/not-sandboxed';
import { useLive, useServices, useWords } from '../services';
import styles from './sandbox-view.module.css';

export function SandboxState({ view }: { view: SandboxView }) {
  const words = useWords();
  const { actions } = useServices();
  const { report, network, outdated } = view;
  return (
    <section className={styles.part}>
      <header>
        <h2>{words.sandbox.images}</h2>
      </header>
      {report.confined && (
        <p className={styles.state}>
          <ShieldCheck size={15} className={styles.good} aria-hidden />
          {words.sandbox.confinedBy(report.launcher)}
        </p>
      )}
      <Unconfined report={report} />
      {report.confined && report.reason && (
        <p className={styles.gap} lang="en">
          {report.reason}.
        </p>
      )}
      {report.gaps?.map((gap) => (
        <p key={gap} className={styles.gap} lang="en">
          {gap}.
        </p>
      ))}
      <Checkbox
        label={words.sandbox.network}
        about={words.sandbox.networkAbout}
        checked={network}
        onChange={(allowed) => void actions.sandbox.shareNetwork(allowed)}
      />
      {outdated.length > 0 && <Outdated sessions={outdated} />}
    </section>
  );
}

/** Why images, and servers that sessions are attached to, are not sandboxed; and what was accepted before. */
function Unconfined({ report }: Pick<SandboxView, 'report'>) {
  const sessions = useLive((state) => state.sessions);
  const accepted = useSettings().data?.acceptedUnsandboxed ?? [];
  const reports = [report, ...[...sessions.values()].map(({ sandbox }) => sandbox)];
  const reasons = reports.filter(({ confined }) => !confined).map(sandboxReason);
  return [...new Set([...reasons, ...accepted])].map((reason) => (
    <NotSandboxed key={reason} reason={reason} />
  ));
}

function Outdated({ sessions }: { sessions: readonly SessionId[] }) {
  const words = useWords();
  const named = useLive((state) => state.sessions);
  const { mutate, isPending } = useRestartConfined(sessions);
  return (
    <div className={styles.outdated}>
      <Problem tone="warn">{words.sandbox.outdated}</Problem>
      {sessions.length > 1 && (
        <Button icon={RotateCw} isDisabled={isPending} onPress={() => mutate()}>
          {isPending ? words.sandbox.restarting : words.sandbox.restartAll(sessions.length)}
        </Button>
      )}
      <ul aria-label={words.sandbox.toRestart}>
        {sessions.map((id) => (
          <Restart key={id} id={id} name={named.get(id)?.name ?? id} />
        ))}
      </ul>
    </div>
  );
}

function Restart({ id, name }: { id: SessionId; name: string }) {
  const words = useWords();
  const { mutate, isPending } = useRestartConfined([id]);
  return (
    <li>
      <a href={`#/sessions/${id}`}>{name}</a>
      <Button
        icon={RotateCw}
        isDisabled={isPending}
        onPress={() => mutate()}
        aria-label={words.sandbox.restartOf(name)}
      >
        {isPending ? words.sandbox.restarting : words.sandbox.restart}
      </Button>
    </li>
  );
}
