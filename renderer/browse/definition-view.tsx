/** One definition of a name: lambda list, documentation, source and links. */

import { Activity, ListTree } from 'lucide-react';
import type { Definition, SourcePlace } from '../../electron/contract/knowledge';
import type { SessionView } from '../../electron/contract/model';
import { useEvaluation } from '../bridge-queries';
import { Button, CopyButton } from '../parts/button';
import { LispBlock } from '../parts/code';
import { bareName, nameInProject, shortenPath } from '../parts/format';
import { Disclosure } from '../parts/view';
import { formatRoute, START_ROUTE } from '../route';
import { useLive, useServices, useWords } from '../services';
import styles from './browse.module.css';

export function DefinitionView({ session, definition }: { session: SessionView; definition: Definition }) {
  const words = useWords();
  const {
    kind,
    name,
    arglist,
    documentation,
    source,
    value,
    type,
    expansion,
    code,
    methods = [],
  } = definition;
  const { slots = [], superclasses, subclasses, precedence, uses, users, names = [], externals } = definition;
  return (
    <section aria-label={`${kind} ${name}`} className={styles.definition}>
      <p className={styles.what}>
        <span lang="en">{kind}</span>
        <code>
          {name}
          {arglist !== undefined && ` ${arglist}`}
        </code>
      </p>
      {/function|method/.test(kind) && <MeasureCalls session={session} name={name} />}
      {documentation !== undefined && (
        <p className={styles.documentation} translate="no">
          {documentation}
        </p>
      )}
      {source && <SourceLine session={session} source={source} />}
      {type !== undefined && <Line title={words.browse.type} text={type} />}
      {value !== undefined && <Line title={words.browse.value} text={value} />}
      {expansion !== undefined && <Line title={words.browse.expandsTo} text={expansion} />}
      {superclasses && <NameLinks session={session} title={words.browse.superclasses} names={superclasses} />}
      {subclasses && <NameLinks session={session} title={words.browse.subclasses} names={subclasses} />}
      {precedence && <NameLinks session={session} title={words.browse.precedence} names={precedence} />}
      {uses && <NameLinks session={session} title={words.browse.usesTitle} names={uses} />}
      {users && <NameLinks session={session} title={words.browse.usedBy} names={users} />}
      {slots.length > 0 && (
        <dl className={styles.slots} aria-label={words.browse.slots}>
          {slots.map((slot) => (
            <div key={slot.name}>
              <dt>{slot.name}</dt>
              <dd>{[slot.details, slot.documentation].filter(Boolean).join(' · ')}</dd>
            </div>
          ))}
        </dl>
      )}
      {methods.length > 0 && (
        <ul className={styles.methods} aria-label={words.browse.methods}>
          {methods.map((method) => (
            <li key={method.text}>
              <code>{method.text}</code>
              {method.source && <SourceLine session={session} source={method.source} />}
            </li>
          ))}
        </ul>
      )}
      {names.length > 0 && (
        <NameLinks
          session={session}
          title={words.browse.exports(externals ?? names.length)}
          names={names.map((each) => each.name)}
          within={name}
        />
      )}
      {code !== undefined && (
        <Disclosure title={words.browse.sourceText}>
          <LispBlock code={code} engine={session.engine} />
        </Disclosure>
      )}
    </section>
  );
}

/** Runs the session's last evaluation again, with the calls of this function traced, or profiled. */
function MeasureCalls({ session, name }: { session: SessionView; name: string }) {
  const words = useWords();
  const { actions } = useServices();
  const last = useLive(({ evaluations }) => {
    let newest = 0;
    for (const { id, session: ranIn, kind, outcome } of evaluations.values())
      if (ranIn === session.id && (kind === 'eval' || kind === 'listener') && outcome === 'ok')
        newest = Math.max(newest, id);
    return newest;
  });
  if (!session.measures || last === 0) return null;
  return (
    <p className={styles.tools}>
      <Button
        icon={ListTree}
        isDisabled={!session.measures.trace}
        onPress={() => void actions.measure(session.id, last, 'trace', bareName(name))}
      >
        {words.run.traceIn(last)}
      </Button>
      <Button
        icon={Activity}
        isDisabled={!session.measures.profile}
        onPress={() => void actions.measure(session.id, last, 'profile')}
      >
        {words.run.profileIn(last)}
      </Button>
    </p>
  );
}

function Line({ title, text }: { title: string; text: string }) {
  return (
    <p className={styles.line}>
      <span>{title}</span> <code>{text}</code>
    </p>
  );
}

// A row of names that link to their definitions.

interface NameLinksProps {
  session: SessionView;
  title: string;
  names: readonly string[];
  /** The package of names that are shown without one. */
  within?: string;
}

function NameLinks({ session, title, names, within }: NameLinksProps) {
  const { actions } = useServices();
  if (names.length === 0) return null;
  return (
    <div className={styles.line}>
      <span>{title}</span>
      <ul className={styles.links} aria-label={title}>
        {names.map((name) => (
          <li key={name}>
            <button
              type="button"
              onClick={() =>
                actions.browse(session.id, within === undefined ? name : qualified(session, within, name))
              }
            >
              <code>{name}</code>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function qualified({ engine }: SessionView, within: string, name: string): string {
  return ['clojure', 'nrepl', 'nbb'].includes(engine) ? `${within}/${name}` : `${within}::${name}`;
}

/** A link to the source: a file and line, or the text of an evaluation. */
export function SourceLine({ session, source }: { session: SessionView; source: SourcePlace }) {
  const words = useWords();
  const { actions } = useServices();
  const { file, line, evaluation, note } = source;
  if (file !== undefined) {
    const place = line === undefined ? file : `${file}:${line}`;
    return (
      <p className={styles.source} title={file}>
        <button
          type="button"
          onClick={() => actions.sources.open(session.id, nameInProject(file, session.project), line)}
        >
          <code>{shortenPath(place, 52)}</code>
        </button>
        <CopyButton text={place} what={words.copying.place} />
        {note !== undefined && <span>{note}</span>}
      </p>
    );
  }
  if (evaluation === undefined) return note === undefined ? null : <p className={styles.source}>{note}</p>;
  return (
    <div className={styles.source}>
      <Disclosure title={words.browse.source(evaluation)}>
        <Evaluated session={session} id={evaluation} />
      </Disclosure>
    </div>
  );
}

function Evaluated({ session, id }: { session: SessionView; id: number }) {
  const words = useWords();
  const { data, error } = useEvaluation(id);
  if (error) return <p>{error.message}</p>;
  // The image reports an evaluation id. It is valid only if the evaluation belongs to this session's project.
  if (!data || data.project !== session.project) return null;
  return (
    <>
      <LispBlock code={data.code} engine={session.engine} />
      <a href={formatRoute({ ...START_ROUTE, view: 'history', evaluation: id })}>
        {words.browse.inHistory(id)}
      </a>
    </>
  );
}
