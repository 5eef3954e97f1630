/** One thing that a name stands for: how it is called, what it says of itself, where it is, and what it leads to. */
import type { Definition } from '../../electron/contract/knowledge';
import type { SessionView } from '../../electron/contract/model';
import { LispBlock } from '../parts/lisp';
import { Disclosure } from '../parts/view';
import { useWords } from '../services';
import styles from './browse.module.css';
import { NameLinks } from './name-links';
import { SourceLine } from './source-line';

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

function Line({ title, text }: { title: string; text: string }) {
  return (
    <p className={styles.line}>
      <span>{title}</span> <code>{text}</code>
    </p>
  );
}
