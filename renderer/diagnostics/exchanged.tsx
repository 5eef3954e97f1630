/** A request and its answer, as they went over the wire. */
import type { TriedCall } from '../../electron/contract/diagnostics';
import { CopyButton } from '../parts/copy-button';
import { useWords } from '../services';
import styles from './diagnostics.module.css';
import { indented } from './tool-form';

export function Exchanged({ tried: { request, reply, ms } }: { tried: TriedCall }) {
  const { diagnostics: words, formats } = useWords();
  return (
    <>
      <Message title={words.request} text={request} />
      <Message title={words.reply} text={reply} note={words.took(formats.duration(ms))} />
    </>
  );
}

function Message({ title, text, note = '' }: { title: string; text: string; note?: string }) {
  return (
    <section aria-label={title} className={styles.message}>
      <header>
        <h3>{title}</h3>
        <span>{note}</span>
        <CopyButton text={text} what={title} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by the keyboard */}
      <pre tabIndex={0}>{indented(text)}</pre>
    </section>
  );
}
