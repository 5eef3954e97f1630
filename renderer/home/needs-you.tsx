/** What needs a person, each with the step that sees to it; questions with their answers in place. */
import { CircleCheck, Gauge, Triangle, Unplug } from 'lucide-react';
import type { Need } from '../../electron/contract/needs';
import { ApprovalQueue } from '../approvals/approval-questions';
import { formatBytes, oneLine, shortenPath } from '../parts/format';
import { LinkButton, Row, Rows } from '../parts/rows';
import { RelativeTime } from '../parts/time';
import { RefusedFile } from '../sandbox/refused-file';
import { useLive } from '../services';

export function NeedsYou({ now }: { now: number }) {
  const needs = useLive((state) => state.needs.needs);
  const others = needs.filter(({ kind }) => kind !== 'approval');
  return (
    <Rows title="Needs you">
      <ApprovalQueue />
      {others.length > 0 && (
        <ul>
          {others.map((need) => (
            <NeedRow key={need.key} need={need} now={now} />
          ))}
        </ul>
      )}
      {needs.length === 0 && (
        <ul>
          <Row
            icon={CircleCheck}
            tone="good"
            title="Nothing"
            about="Held errors, questions of agents, refused files and clients that lost their entry appear here."
          />
        </ul>
      )}
    </Rows>
  );
}

function NeedRow({ need, now }: { need: Need; now: number }) {
  switch (need.kind) {
    case 'held':
      return <Held need={need} now={now} />;
    case 'refused':
      return <RefusedFile refusal={need.refusal} now={now} />;
    case 'full':
      return (
        <Row
          icon={Gauge}
          tone="warn"
          title={
            <>
              <b>{need.name}</b> has filled {formatBytes(need.bytes)} of {formatBytes(need.limitBytes)}
            </>
          }
          about="At its limit an evaluation fails, or the image ends."
        >
          <LinkButton href={`#/sessions/${need.session}/memory`} label={`Look at ${need.name}`}>
            Look
          </LinkButton>
        </Row>
      );
    case 'dropped':
      return (
        <Row
          icon={Unplug}
          tone="warn"
          title={
            <>
              <b>{need.title}</b> has dropped our entry
            </>
          }
          about={shortenPath(need.file, 60)}
        >
          <LinkButton href="#/clients" label={`Put ours back into ${need.title}…`}>
            Put it back…
          </LinkButton>
        </Row>
      );
    case 'approval':
      return null;
  }
}

function Held({ need, now }: { need: Extract<Need, { kind: 'held' }>; now: number }) {
  const restarts = need.restarts.length > 0 ? ` · restarts: ${need.restarts.join(', ').toLowerCase()}` : '';
  return (
    <Row
      icon={Triangle}
      tone="warn"
      title={
        <>
          <b>{need.name}</b> is held: {need.condition}, <code>{oneLine(need.message)}</code>
        </>
      }
      about={
        <>
          {need.client}, <RelativeTime at={need.at} now={now} />
          {restarts}
        </>
      }
    >
      <LinkButton
        kind="primary"
        href={`#/sessions/${need.session}/debugger`}
        label={`Look at the error held in ${need.name}`}
      >
        Look
      </LinkButton>
    </Row>
  );
}
