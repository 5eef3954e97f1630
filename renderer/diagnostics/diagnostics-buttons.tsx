/** Where a person begins to find out what is wrong: a tool tried by hand, or the report for who helps. */
import { ClipboardList, FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { tryCall } from '../bridge';
import { Button } from '../parts/button';
import { useServices, useWords } from '../services';
import styles from './diagnostics.module.css';
import { TryTool } from './try-tool';

export function DiagnosticsButtons() {
  const { diagnostics: words, copying } = useWords();
  const { actions, toasts } = useServices();
  const [trying, setTrying] = useState(false);
  const copyReport = async () => {
    const report = await tryCall(toasts, 'diagnostics:report', null);
    if (report !== undefined && (await actions.copy(report, words.report))) toasts.done(copying.copied);
  };
  return (
    <div className={styles.buttons}>
      <Button icon={FlaskConical} onPress={() => setTrying(true)}>
        {words.tryTool}
      </Button>
      <Button icon={ClipboardList} onPress={() => void copyReport()}>
        {words.copyReport}
      </Button>
      {trying && <TryTool onClose={() => setTrying(false)} />}
    </div>
  );
}
