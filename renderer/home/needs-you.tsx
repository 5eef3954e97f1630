/** Things that need the user, each with the action that resolves it. Approval requests are answered here. */

import { ArrowUpCircle, CircleCheck, FileWarning, FolderGit2, Gauge, Triangle, Unplug } from 'lucide-react';
import type { Need } from '../../electron/contract/approvals';
import { ApprovalQueue } from '../approvals/approval-questions';
import { useUpdates } from '../bridge-queries';
import { Button } from '../parts/button';
import { oneLine, shortenPath } from '../parts/format';
import { LinkButton, Row, Rows } from '../parts/list';
import { Outside, RelativeTime, Sentence } from '../parts/text';
import { RefusedFile } from '../sandbox/sandbox-notices';
import { useLive, useServices, useWords } from '../services';

export function NeedsYou({ now }: { now: number }) {
  const words = useWords();
  const needs = useLive((state) => state.needs.needs);
  const others = needs.filter(({ kind }) => kind !== 'approval');
  return (
    <Rows title={words.home.needsYou}>
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
          <Row icon={CircleCheck} tone="good" title={words.home.nothing} about={words.home.nothingAbout} />
        </ul>
      )}
    </Rows>
  );
}

function NeedRow({ need, now }: { need: Need; now: number }) {
  const words = useWords();
  switch (need.kind) {
    case 'held':
      return <Suspended need={need} now={now} />;
    case 'refused':
      return <RefusedFile refusal={need.refusal} now={now} />;
    case 'full':
      return (
        <Row
          icon={Gauge}
          tone="warn"
          title={
            <Sentence
              of={words.home.full(
                <b>{need.name}</b>,
                words.formats.bytes(need.bytes),
                words.formats.bytes(need.limitBytes),
              )}
            />
          }
          about={words.home.fullAbout}
        >
          <LinkButton href={`#/sessions/${need.session}/memory`} label={words.home.lookAt(need.name)}>
            {words.home.look}
          </LinkButton>
        </Row>
      );
    case 'dropped':
      return (
        <Row
          icon={Unplug}
          tone="warn"
          title={<Sentence of={words.home.dropped(<b>{need.title}</b>)} />}
          about={shortenPath(need.file, 60)}
        >
          <LinkButton href="#/clients" label={words.home.putBackInto(need.title)}>
            {words.home.putBack}
          </LinkButton>
        </Row>
      );
    case 'repository':
      return <Repository need={need} now={now} />;
    case 'places':
      return <Places need={need} now={now} />;
    case 'approval':
      return null;
  }
}

/** Protected places of one project. */
function Places({ need, now }: { need: Extract<Need, { kind: 'places' }>; now: number }) {
  const { home } = useWords();
  const { actions } = useServices();
  const { project, paths, count, at } = need;
  const inProject = paths.map((each) => each.replace(`${project}/`, ''));
  const more = count > paths.length ? ', …' : '';
  return (
    <Row
      icon={FileWarning}
      tone="warn"
      title={
        <Sentence
          of={home.places(
            count,
            <code title={project}>
              <Outside>{shortenPath(project, 60)}</Outside>
            </code>,
          )}
        />
      }
      about={
        <Sentence
          of={home.placesAbout(
            <code title={paths.join('\n')}>
              <Outside>{`${inProject.join(', ')}${more}`}</Outside>
            </code>,
            <RelativeTime at={at} now={now} />,
          )}
        />
      }
    >
      <Button
        onPress={() => void actions.harbor.needs.dismissAppeared({ project, path: null })}
        aria-label={home.seenOf(shortenPath(project, 60))}
      >
        {home.seen}
      </Button>
    </Row>
  );
}

function Repository({ need, now }: { need: Extract<Need, { kind: 'repository' }>; now: number }) {
  const { home } = useWords();
  const { actions } = useServices();
  const short = shortenPath(need.path, 60);
  return (
    <Row
      icon={FolderGit2}
      tone="warn"
      title={
        <Sentence
          of={home.repository(
            <code title={need.path}>
              <Outside>{short}</Outside>
            </code>,
          )}
        />
      }
      about={<Sentence of={home.repositoryAbout(<RelativeTime at={need.at} now={now} />)} />}
    >
      <Button
        onPress={() => void actions.harbor.needs.dismissAppeared({ project: need.project, path: need.path })}
        aria-label={home.seenOf(short)}
      >
        {home.seen}
      </Button>
    </Row>
  );
}

function Suspended({ need, now }: { need: Extract<Need, { kind: 'held' }>; now: number }) {
  const words = useWords();
  const restarts = need.restarts.length > 0 ? words.home.restarts(need.restarts) : '';
  return (
    <Row
      icon={Triangle}
      tone="warn"
      title={
        <Sentence
          of={words.home.suspended(<b>{need.name}</b>, need.condition, <code>{oneLine(need.message)}</code>)}
        />
      }
      about={
        <>
          <Sentence
            of={words.home.by(words.common.client(need.client), <RelativeTime at={need.at} now={now} />)}
          />
          {restarts}
        </>
      }
    >
      <LinkButton
        kind="primary"
        href={`#/sessions/${need.session}/debugger`}
        label={words.home.showError(need.name)}
      >
        {words.home.look}
      </LinkButton>
    </Row>
  );
}

/** Reports that a newer version of the app is available or downloaded, with a link to the settings. */
export function NewVersion() {
  const { updates: words } = useWords();
  const view = useUpdates();
  if (view?.state !== 'found' && view?.state !== 'ready') return null;
  const name = <b>Lisp Harbor {view.version}</b>;
  const installed = view.state === 'ready' && view.installed;
  const here = installed ? words.harborIsInstalled(name) : words.harborIsHere(name);
  return (
    <Rows title={words.newer}>
      <ul>
        <Row
          icon={ArrowUpCircle}
          title={<Sentence of={view.state === 'found' ? words.harborIsThere(name) : here} />}
          about={installed ? words.installedAbout : words.about}
        >
          <LinkButton href="#/settings" label={words.showVersion(view.version)}>
            {words.show}
          </LinkButton>
        </Row>
      </ul>
    </Rows>
  );
}
