/** What happened in a session between two looks at it, in sentences. Pure. */
import type { LogLine } from '../contract/log';
import type { Evaluation, SessionView } from '../contract/model';

export type Happening = Omit<LogLine, 'at'>;

/** What a session is as far as its log tells. */
export type Seen = Pick<
  SessionView,
  | 'engine'
  | 'client'
  | 'state'
  | 'generation'
  | 'pid'
  | 'lostBecause'
  | 'stopping'
  | 'sandbox'
  | 'limits'
  | 'comesBack'
>;

const told = (text: string): Happening => ({ level: 'info', text });
const warned = (text: string): Happening => ({ level: 'warn', text });

/** @param before null for one that is seen for the first time */
export function happenings(before: Seen | null, now: Seen): Happening[] {
  if (before === null) return [told(begunText(now)), told(imageText(now))];
  const isReplaced = now.generation > before.generation;
  return [
    ...(now.lostBecause !== null && now.lostBecause !== before.lostBecause
      ? [warned(`The image is gone because ${now.lostBecause}.`)]
      : []),
    ...(isReplaced
      ? [told(`Image ${now.generation} takes over, ${broughtBack(now)}.`), told(imageText(now))]
      : []),
    // Which process it is may be known only later.
    ...(!isReplaced && before.pid === null && now.pid !== null
      ? [told(`Its process has pid ${now.pid}.`)]
      : []),
    ...stopText(before, now),
    ...(now.state === 'debugger' && before.state !== 'debugger' ? [told('It is held in the debugger.')] : []),
  ];
}

/** What an evaluation that did not go well says of the image; nothing of errors in code. */
export function evaluationHappening({ id, client, outcome, condition, notes }: Evaluation): Happening[] {
  if (outcome !== 'interrupted' && outcome !== 'crashed' && outcome !== 'refused') return [];
  const why = [...(condition ? [condition.message] : []), ...notes].join(' ');
  const text =
    `Evaluation ${id} of ${client} was ${outcome === 'crashed' ? 'lost in a crash' : outcome}. ${why}`.trimEnd();
  return [outcome === 'crashed' ? { level: 'error', text } : warned(text)];
}

/** One that slept has had images before. */
function begunText(now: Seen): string {
  const { engine, client, generation } = now;
  if (generation > 1)
    return `The session of ${client} comes back as image ${generation}, ${broughtBack(now)}.`;
  return `A session of ${engine} for ${client} began.`;
}

function imageText({ sandbox, pid, limits }: Seen): string {
  const confined = sandbox.confined ? `confined by ${sandbox.launcher}` : 'not sandboxed';
  const bounds = [
    ...(limits.heapMiB === null ? [] : [`heap ${limits.heapMiB} MiB`]),
    ...(limits.cpuSeconds === null ? [] : [`${limits.cpuSeconds} s processor time an evaluation`]),
  ];
  const parts = [confined, ...(pid === null ? [] : [`pid ${pid}`]), ...bounds];
  return `Its image is ${parts.join(', ')}.${sandbox.reason ? ` ${sandbox.reason}` : ''}`;
}

/** What was defined since a checkpoint may be evaluated again or given up on purpose: the next evaluation is told. */
function broughtBack({ comesBack: { checkpoint, definitions } }: Seen): string {
  if (checkpoint !== null) return `with checkpoint ${checkpoint}`;
  return definitions
    ? 'with its definitions, as far as they can be evaluated again'
    : 'with nothing of what there was';
}

const STEPS: Readonly<Record<NonNullable<Seen['stopping']>['step'], string>> = {
  abort: 'is given up',
  cooperative: 'is interrupted',
  insistent: 'did not stop and is interrupted again, cleanups included',
  end: 'did not stop: its image is ended',
};

function stopText(before: Seen, { stopping }: Seen): Happening[] {
  const isSame =
    before.stopping?.evaluation === stopping?.evaluation && before.stopping?.step === stopping?.step;
  if (!stopping || isSame) return [];
  const text = `Evaluation ${stopping.evaluation} ${STEPS[stopping.step]}.`;
  return [stopping.step === 'end' ? warned(text) : told(text)];
}
