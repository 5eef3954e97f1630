/** Says that a newer version of the app is there, or here, where it can be fetched and installed. */
import { ArrowUpCircle } from 'lucide-react';
import { LinkButton, Row, Rows } from '../parts/rows';
import { Sentence } from '../parts/sentence';
import { useWords } from '../services';
import { useUpdates } from '../update-queries';

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
