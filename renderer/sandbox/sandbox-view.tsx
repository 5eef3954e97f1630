/** The sandbox: confinement of images, the allow-list, approval rules and secret paths. */

import { FolderPlus, MessageCircleQuestion, RotateCw, ShieldCheck, X } from 'lucide-react';
import { useState } from 'react';
import { FieldError, Input, Label, TextField, VisuallyHidden } from 'react-aria-components';
import type { ApprovalAnswer, ApprovalClass, ApprovalRule } from '../../electron/contract/approvals';
import type { SessionId } from '../../electron/contract/model';
import type { SandboxView } from '../../electron/contract/sandbox';
import { useRestartConfined, useSandbox, useSettings } from '../bridge-queries';
import { Button, IconButton } from '../parts/button';
import { Checkbox, Select } from '../parts/field';
import fields from '../parts/field.module.css';
import { shortenPath, tagNames } from '../parts/format';
import { Row, Rows } from '../parts/list';
import { ScrollArea } from '../parts/scroll-area';
import { Outside, RelativeTime, Sentence, useNow } from '../parts/text';
import { Disclosure, Problem, View } from '../parts/view';
import { useLive, useServices, useWords } from '../services';
import { WouldItBe } from './access-check';
import { AllowDialog } from './allow-dialog';
import { NotSandboxed, RefusedFile, sandboxReason } from './sandbox-notices';
import styles from './sandbox-view.module.css';

export function Sandbox() {
  const words = useWords();
  const { data, error } = useSandbox();
  return (
    <View title={words.sandbox.title}>
      <ScrollArea label={words.sandbox.title} className={styles.page} rememberAs="sandbox">
        {error && <Problem>{error.message}</Problem>}
        {data && <Parts view={data} />}
      </ScrollArea>
    </View>
  );
}

function Parts({ view }: { view: SandboxView }) {
  return (
    <>
      <Waiting />
      <SandboxState view={view} />
      <WouldItBe />
      <AllowList view={view} />
      <Secrets view={view} />
      <ApprovalRules />
    </>
  );
}

function AllowList({ view: { rows, project, report } }: { view: SandboxView }) {
  const words = useWords();
  const { powers } = words.sandbox;
  const [adding, setAdding] = useState(false);
  return (
    <section className={styles.part}>
      <header>
        <h2>{words.sandbox.allowList}</h2>
        <Button icon={FolderPlus} onPress={() => setAdding(true)}>
          {words.sandbox.addMore}
        </Button>
      </header>
      <p className={styles.about}>
        <Sentence of={words.sandbox.forProject(<code title={project}>{shortenPath(project, 48)}</code>)} />
        {report.confined ? words.sandbox.closed : words.sandbox.closedToTools}
        <Sentence
          of={words.sandbox.powersAbout(<b>{powers.read}</b>, <b>{powers.write}</b>, <b>{powers.library}</b>)}
        />
      </p>
      <AllowTable rows={rows} />
      {adding && <AllowDialog onClose={() => setAdding(false)} />}
    </section>
  );
}

function Secrets({ view: { secrets } }: { view: SandboxView }) {
  const words = useWords();
  return (
    <section className={styles.part}>
      <header>
        <h2>{words.sandbox.secrets}</h2>
      </header>
      <p className={styles.about}>{words.sandbox.secretsAbout}</p>
      <Disclosure title={words.sandbox.places(secrets.length)}>
        <ul className={styles.secrets} aria-label={words.sandbox.secrets}>
          {secrets.map(({ path, holds }) => (
            <li key={path}>
              <code title={path}>{shortenPath(path, 56)}</code>
              <span lang="en">{holds}</span>
            </li>
          ))}
        </ul>
      </Disclosure>
    </section>
  );
}

type AllowRow = SandboxView['rows'][number];

export function AllowTable({ rows }: { rows: readonly AllowRow[] }) {
  const words = useWords();
  const now = useNow(60_000);
  return (
    <table className={styles.table} aria-label={words.sandbox.allowList}>
      <thead>
        <tr>
          <th scope="col">{words.sandbox.folder}</th>
          <th scope="col">{words.sandbox.power}</th>
          <th scope="col">{words.sandbox.reason}</th>
          <th scope="col">{words.sandbox.added}</th>
          <th scope="col">
            <VisuallyHidden>{words.sandbox.remove}</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <AllowEntry key={`${row.folder} ${row.project} ${row.isDefault}`} row={row} now={now} />
        ))}
      </tbody>
    </table>
  );
}

function AllowEntry({ row, now }: { row: AllowRow; now: number }) {
  const words = useWords();
  const { actions } = useServices();
  const { folder, power, reason, isDefault, problem } = row;
  const isProject = isDefault && power === 'write';
  return (
    <tr>
      <td>
        <code title={folder}>{shortenPath(folder, 48)}</code>
        {problem !== null && <p className={styles.problem}>{words.sandbox.notInForce(problem)}</p>}
      </td>
      <td>{words.sandbox.powers[power]}</td>
      <td>
        {reason === '' ? (
          <span className={styles.quiet}>{words.sandbox.noReason}</span>
        ) : (
          <Reason text={reason} isOurs={isDefault} />
        )}
        {row.project !== null && !isDefault && (
          <span className={styles.quiet}>{words.sandbox.thisProject}</span>
        )}
      </td>
      <td className={styles.quiet}>{isDefault ? words.sandbox.byDefault : <Added row={row} now={now} />}</td>
      <td>
        {!isProject && (
          <IconButton
            icon={X}
            label={words.common.remove(folder)}
            onPress={() => void actions.sandbox.removeAllowed(row)}
          />
        )}
      </td>
    </tr>
  );
}

/** Reasons of default entries are in English; others are in the language of the user. */
function Reason({ text, isOurs }: { text: string; isOurs: boolean }) {
  return <span {...(isOurs && { lang: 'en' })}>{text}</span>;
}

function Added({ row: { addedBy, addedAt }, now }: { row: AllowRow; now: number }) {
  const words = useWords();
  const by = addedBy === 'window' ? words.sandbox.here : words.sandbox.inPlace(addedBy);
  if (addedAt === null) return by;
  return <Sentence of={words.sandbox.addedBy(<RelativeTime at={addedAt} now={now} />, by)} />;
}

/** `usual` is the answer without a rule. */
const CLASSES: readonly { act: ApprovalClass; usual: ApprovalAnswer }[] = [
  { act: 'evaluate', usual: 'allow' },
  { act: 'load', usual: 'allow' },
  { act: 'write', usual: 'allow' },
  { act: 'network', usual: 'ask' },
  { act: 'attach', usual: 'ask' },
  { act: 'kill', usual: 'allow' },
];

const ANSWERS: readonly ApprovalAnswer[] = ['allow', 'ask', 'deny'];

export function ApprovalRules() {
  const { data } = useSettings();
  if (!data) return null;
  return <Rules rules={data.approvals} />;
}

function Rules({ rules }: { rules: readonly ApprovalRule[] }) {
  const words = useWords();
  const { actions } = useServices();
  const change = (next: ApprovalRule[]) => void actions.changeSettings({ approvals: next });
  const forAll = (act: ApprovalClass) => rules.findLast((rule) => rule.class === act && rule.client === null);
  const own = rules.filter(({ client }) => client !== null);
  return (
    <section className={styles.part}>
      <header>
        <h2>{words.sandbox.approvals}</h2>
      </header>
      <p className={styles.about}>{words.sandbox.approvalsAbout}</p>
      <ul className={styles.rules} aria-label={words.sandbox.approvalsForAll}>
        {CLASSES.map(({ act, usual }) => (
          <li key={act}>
            <h3>{words.sandbox.acts[act].title}</h3> <p>{words.sandbox.acts[act].about}</p>
            <Select
              label={words.sandbox.everyClient(words.sandbox.acts[act].title)}
              value={forAll(act)?.answer ?? usual}
              options={ANSWERS.map((value) => ({ value, title: words.sandbox.answers[value] }))}
              onChange={(answer) => {
                const others = rules.filter((rule) => rule.class !== act || rule.client !== null);
                change([...others, { client: null, class: act, answer }]);
              }}
            />
          </li>
        ))}
      </ul>
      {own.length > 0 && (
        <ul className={styles.rules} aria-label={words.sandbox.approvalsForOne}>
          {own.map((rule) => (
            <li key={`${rule.client} ${rule.class} ${rule.answer}`}>
              <h3>{rule.client}</h3>
              <p>{words.sandbox.rule(rule.class, rule.answer)}</p>
              <IconButton
                icon={X}
                label={words.sandbox.removeRule(rule.client ?? '')}
                onPress={() => change(rules.filter((other) => other !== rule))}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** How images are confined, the remaining access, and sessions that started before the list changed. */
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
      <LoopbackPorts />
      {outdated.length > 0 && <Outdated sessions={outdated} />}
    </section>
  );
}

/** The ports of this computer that images with network access reach. Saved on Enter or when the field loses the focus. */
function LoopbackPorts() {
  const { sandbox: words, common } = useWords();
  const { actions } = useServices();
  const saved = useSettings().data?.loopbackPorts;
  const [typed, setTyped] = useState<string | null>(null);
  if (saved === undefined) return null;
  const ports = typed === null ? saved : portsIn(typed);
  const finish = () => {
    if (typed === null || ports === null) return;
    setTyped(null);
    if (ports.join() !== saved.join()) void actions.changeSettings({ loopbackPorts: ports });
  };
  return (
    <TextField
      className={styles.ports ?? ''}
      value={typed ?? saved.join(', ')}
      isInvalid={ports === null}
      validationBehavior="aria"
      onChange={setTyped}
      onBlur={finish}
      onKeyDown={(event) => event.key === 'Enter' && finish()}
    >
      <Label>{words.loopbackPorts}</Label>
      <Input className={fields.text ?? ''} placeholder={common.none} />
      <FieldError className={styles.error ?? ''}>{words.notPorts}</FieldError>
    </TextField>
  );
}

const MOST_PORT = 65_535;

/** Returns the ports of a list that is separated by commas or spaces; null if something else is in it. */
function portsIn(typed: string): number[] | null {
  const names = tagNames(typed);
  const ports = names.map(Number);
  const areAll =
    names.every((name) => /^\d{1,5}$/.test(name)) && ports.every((port) => port > 0 && port <= MOST_PORT);
  return areAll ? [...new Set(ports)] : null;
}

/** Why images and attached servers are not sandboxed, and accepted reasons. */
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

/** Approval requests, which are answered below, and recently refused files. */
export function Waiting() {
  const words = useWords();
  const now = useNow(10_000);
  const needs = useLive((state) => state.needs.needs);
  const waiting = needs.filter(({ kind }) => kind === 'approval' || kind === 'refused');
  if (waiting.length === 0) return null;
  return (
    <div className={styles.waiting}>
      <Rows title={words.sandbox.needsYou}>
        <ul>
          {waiting.map((need) => {
            if (need.kind === 'refused')
              return <RefusedFile key={need.key} refusal={need.refusal} now={now} />;
            if (need.kind !== 'approval') return null;
            return (
              <Row
                key={need.key}
                icon={MessageCircleQuestion}
                tone="warn"
                title={
                  <Sentence
                    of={words.sandbox.wants(
                      <b>
                        <Outside>{need.client}</Outside>
                      </b>,
                      words.approvals.wish(need.tool, need.wish),
                    )}
                  />
                }
                about={<RelativeTime at={need.at} now={now} />}
              />
            );
          })}
        </ul>
      </Rows>
    </div>
  );
}
