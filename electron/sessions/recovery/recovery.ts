/** Brings a new image to the state of the one before, as far as evaluating definitions again can. */
import { isRedacted } from '../../contract/redaction';
import type { Replay } from '../../contract/report';
import type { CommandSource } from '../../contract/world';
import { cut } from '../../history/cut-text';
import type { ReplayEntry } from '../../images/checkpoints';
import type { Image } from '../../images/image';

/** `replay` is null when nothing had been evaluated, or the engine cannot; `problem` says why it did not go to its end. */
export interface Recovery {
  replay: Replay | null;
  problem: string | null;
  /** Whether it has ended the image. */
  died: boolean;
}

/** Characters of a form that are told. */
const LONGEST_LINE = 80;

const NOTHING_TO_RECOVER: Recovery = { replay: null, problem: null, died: false };

/** Never rejects. */
export async function recover(
  image: Image,
  entries: readonly ReplayEntry[],
  packageAfter: string,
): Promise<Recovery> {
  if (!image.replayer || (entries.length === 0 && !image.replayer.pending)) return NOTHING_TO_RECOVER;
  const { known, redacted } = withoutRedacted(entries);
  const { outcome, report, condition, notes } = await image.replayer.replay(image, known, packageAfter);
  const replay = withMissing(report?.replay ?? null, redacted);
  if (outcome === 'ok') return { replay, problem: null, died: false };
  const problem = condition ? `${condition.type}: ${condition.message}` : notes.join(' ');
  return { replay, problem, died: outcome === 'crashed' };
}

/** What was evaluated is not known where something was taken out of it: to evaluate the rest would make something else. */
function withoutRedacted(entries: readonly ReplayEntry[]): { known: ReplayEntry[]; redacted: ReplayEntry[] } {
  const redacted = entries.filter(({ code, change }) => isRedacted(code) || change?.added.some(isHidden));
  const known = entries.flatMap((entry) => {
    if (!redacted.includes(entry)) return [entry];
    // Later changes count the commands of this one: in place of each stands one that changes nothing.
    const { change } = entry;
    return change === null ? [] : [{ ...entry, change: { ...change, added: change.added.map(orNothing) } }];
  });
  return { known, redacted };
}

function isHidden({ form }: CommandSource): boolean {
  return isRedacted(form);
}

function orNothing(source: CommandSource): CommandSource {
  return isHidden(source) ? { ...source, form: '(value-triple :redacted)' } : source;
}

function withMissing(replay: Replay | null, redacted: readonly ReplayEntry[]): Replay | null {
  if (redacted.length === 0) return replay;
  const missing = redacted.map(({ id, code }) => ({
    id,
    form: cut(code.trim().split('\n', 1).join(), LONGEST_LINE),
    because: 'its code was redacted',
  }));
  const { count = 0, missing: others = [], missingCount = 0, ...rest } = replay ?? {};
  return { ...rest, count, missing: [...missing, ...others], missingCount: missingCount + missing.length };
}
