/** Puts a text on the clipboard and says so where it was clicked, with a check mark for a moment. */
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import { useServices, useWords } from '../services';
import { Button, IconButton } from './button';

const SHOWN_MS = 1_500;

interface CopyProps {
  text: string;
  /** What is copied, of words/copying.ts. */
  what: string;
  /** With its words beside the icon. */
  wide?: boolean;
  /** Takes the focus as it appears. */
  autoFocus?: boolean;
}

export function CopyButton({ text, what, wide = false, autoFocus = false }: CopyProps) {
  const words = useWords();
  const { actions } = useServices();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const icon = copied ? Check : Copy;
  const copy = () => void actions.copy(text, what).then(setCopied);
  return (
    <>
      {wide ? (
        <Button icon={icon} autoFocus={autoFocus} onPress={copy}>
          {words.copying.copy(what)}
        </Button>
      ) : (
        <IconButton icon={icon} label={words.copying.copy(what)} autoFocus={autoFocus} onPress={copy} />
      )}
      <VisuallyHidden role="status">{copied && words.copying.copied}</VisuallyHidden>
    </>
  );
}
