/** Why an engine cannot be used, and what to do about it. */
import { useWords } from '../services';
import { Sentence } from './sentence';

export function Unavailable({ reason }: { reason: string }) {
  const words = useWords();
  return <Sentence of={words.parts.unavailable(<span lang="en">{reason}</span>)} />;
}
