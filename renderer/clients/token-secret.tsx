/** A token's secret, shown this once, and how it is sent. */
import { CopyButton } from '../parts/copy-button';
import form from '../parts/form.module.css';
import { Sentence } from '../parts/sentence';
import { useLive, useWords } from '../services';
import styles from './clients-view.module.css';

const HEADER = <code>Authorization: Bearer …</code>;
export function TokenSecret({ token }: { token: string }) {
  const words = useWords();
  const url = useLive((state) => state.status?.endpoint.url ?? null);
  return (
    <>
      <p>{words.clients.shownOnce}</p>
      <div className={styles.secret}>
        <code data-secret>{token}</code>
        <CopyButton text={token} what={words.copying.token} autoFocus />
      </div>
      <p className={form.hint}>
        <Sentence
          of={
            url === null ? words.clients.sendAs(HEADER) : words.clients.sendAsTo(HEADER, <code>{url}</code>)
          }
        />
      </p>
    </>
  );
}
