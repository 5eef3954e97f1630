/** Tokens: who holds one, what each may do, issuing, rotating and revoking them. */
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { TokenView } from '../../electron/contract/model';
import { useTokens } from '../bridge-queries';
import { Button } from '../parts/button';
import { ConfirmDialog } from '../parts/dialog';
import { Problem } from '../parts/feedback';
import { RelativeTime, useNow } from '../parts/time';
import { useServices, useWords } from '../services';
import styles from './clients-view.module.css';
import { IssueToken } from './issue-token-dialog';
import { ProfileSelect } from './profile-select';
import { RotateToken } from './rotate-token-dialog';

export function Tokens() {
  const { data, error } = useTokens();
  const [issuing, setIssuing] = useState(false);
  // Outside of its row, which goes with the old token.
  const [rotating, setRotating] = useState<TokenView | null>(null);
  const now = useNow(10_000);
  return (
    <section className={styles.part}>
      <header>
        <h2>Tokens</h2>
        <Button icon={KeyRound} onPress={() => setIssuing(true)}>
          Issue token…
        </Button>
      </header>
      <p className={styles.about}>
        A client that speaks to the address itself needs a token of its own. Its name is how the history and
        the sessions call that client. Its profile is the set of tools that it sees at the address, unless it
        names another there.
      </p>
      {error && <Problem>{error.message}</Problem>}
      {data?.length === 0 && (
        <p className={styles.empty}>No tokens are issued. Each will be listed here by name.</p>
      )}
      <ul aria-label="Tokens">
        {data?.map((token) => (
          <Token key={token.id} token={token} now={now} onRotate={() => setRotating(token)} />
        ))}
      </ul>
      {rotating && <RotateToken token={rotating} onClose={() => setRotating(null)} />}
      {issuing && (
        <IssueToken taken={data?.map(({ name }) => name) ?? []} onClose={() => setIssuing(false)} />
      )}
    </section>
  );
}

interface TokenProps {
  token: TokenView;
  now: number;
  onRotate: () => void;
}

function Token({ token, now, onRotate }: TokenProps) {
  const { rotation } = useWords();
  const { actions } = useServices();
  const [revoking, setRevoking] = useState(false);
  const { id, name, scopes, issuedAt, lastUsedAt } = token;
  return (
    <li className={styles.row} aria-label={name}>
      <h3>{name}</h3>
      <p>
        May {scopes.join(', ')} · issued <RelativeTime at={issuedAt} now={now} /> ·{' '}
        {lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            used <RelativeTime at={lastUsedAt} now={now} />
          </>
        )}
      </p>
      <div className={styles.buttons}>
        <ProfileSelect client={name} title={name} />
        <Button aria-label={rotation.rotateToken(name)} onPress={onRotate}>
          {rotation.rotate}
        </Button>
        <Button aria-label={`Revoke ${name}`} onPress={() => setRevoking(true)}>
          Revoke…
        </Button>
      </div>
      {revoking && (
        <ConfirmDialog
          title={`Revoke token “${name}”?`}
          confirm={`Revoke ${name}`}
          onConfirm={() => void actions.clients.revokeToken(id, name)}
          onClose={() => setRevoking(false)}
        >
          Whoever holds it is refused from now on. This cannot be undone; a new token can be issued.
        </ConfirmDialog>
      )}
    </li>
  );
}
