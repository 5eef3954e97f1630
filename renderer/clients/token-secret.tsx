/** A token's secret, shown this once, and how it is sent. */
import { CopyButton } from '../parts/copy-button';
import form from '../parts/form.module.css';
import { useLive } from '../services';
import styles from './clients-view.module.css';

export function TokenSecret({ token }: { token: string }) {
  const url = useLive((state) => state.status?.endpoint.url ?? null);
  return (
    <>
      <p>This is shown once: only its hash is kept.</p>
      <div className={styles.secret}>
        <code data-secret>{token}</code>
        <CopyButton text={token} what="token" autoFocus />
      </div>
      <p className={form.hint}>
        Send it as <code>Authorization: Bearer …</code>
        {url && (
          <>
            {' '}
            to <code>{url}</code>
          </>
        )}
        .
      </p>
    </>
  );
}
