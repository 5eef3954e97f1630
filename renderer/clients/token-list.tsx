/** Tokens: who holds one, what each may do, issuing, rotating and revoking them. */
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { TokenView } from '../../electron/contract/model';
import { useTokens } from '../bridge-queries';
import { Button } from '../parts/button';
import { ConfirmDialog } from '../parts/dialog';
import { Problem } from '../parts/feedback';
import { Sentence } from '../parts/sentence';
import { RelativeTime, useNow } from '../parts/time';
import { useServices, useWords } from '../services';
import styles from './clients-view.module.css';
import { IssueToken } from './issue-token-dialog';
import { ProfileSelect } from './profile-select';
import { RotateToken } from './rotate-token-dialog';

export function Tokens() {
  const words = useWords();
  const { data, error } = useTokens();
  const [issuing, setIssuing] = useState(false);
  // Outside of its row, which goes with the old token.
  const [rotating, setRotating] = useState<TokenView | null>(null);
  const now = useNow(10_000);
  return (
    <section className={styles.part}>
      <header>
        <h2>{words.clients.tokens}</h2>
        <Button icon={KeyRound} onPress={() => setIssuing(true)}>
          {words.clients.issueTokenMore}
        </Button>
      </header>
      <p className={styles.about}>{words.clients.tokensAbout}</p>
      {error && <Problem>{error.message}</Problem>}
      {data?.length === 0 && <p className={styles.empty}>{words.clients.noTokens}</p>}
      <ul aria-label={words.clients.tokens}>
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
  const words = useWords();
  const { rotation } = words;
  const { actions } = useServices();
  const [revoking, setRevoking] = useState(false);
  const { id, name, scopes, issuedAt, lastUsedAt } = token;
  const may = scopes.map((scope) => words.clients.scopes[scope].verb);
  const issued = <RelativeTime at={issuedAt} now={now} />;
  return (
    <li className={styles.row} aria-label={name}>
      <h3>{name}</h3>
      <p>
        <Sentence
          of={
            lastUsedAt === null
              ? words.clients.unused(may, issued)
              : words.clients.used(may, issued, <RelativeTime at={lastUsedAt} now={now} />)
          }
        />
      </p>
      <div className={styles.buttons}>
        <ProfileSelect client={name} title={name} />
        <Button aria-label={rotation.rotateToken(name)} onPress={onRotate}>
          {rotation.rotate}
        </Button>
        <Button aria-label={words.clients.revokeOf(name)} onPress={() => setRevoking(true)}>
          {words.clients.revoke}
        </Button>
      </div>
      {revoking && (
        <ConfirmDialog
          title={words.clients.revokeAsked(name)}
          confirm={words.clients.revokeOf(name)}
          onConfirm={() => void actions.clients.revokeToken(id, name)}
          onClose={() => setRevoking(false)}
        >
          {words.clients.revokeAbout}
        </ConfirmDialog>
      )}
    </li>
  );
}
