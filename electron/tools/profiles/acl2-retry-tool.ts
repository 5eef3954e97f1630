/** The tool of the profile `acl2` that tries what has failed again with other hints, so that nobody has to send it twice. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { Evaluation } from '../../contract/model';
import type { Session } from '../../sessions/session/session';
import { type Code, code, type OneForm } from '../../source/code';
import { formsIn } from '../../source/forms';
import type { EvaluateToolOptions } from '../evaluation/evaluation-answer';
import type { EvaluationRecord } from '../evaluation/record';
import type { Tool } from '../tool';
import { inSession, proverAdapters } from './acl2-adapters';
import { oneForm } from './acl2-conjecture';
import { admissionText, isAccepted, isProved, provabilityText } from './acl2-text';

const Retried = z.strictObject({
  hints: z.string().min(1).describe('As they stand after :hints, in place of those before'),
  name: z.string().min(1).optional().describe('Of a theorem; omitted: what has failed last'),
  ...inSession,
});

/** Evaluations that are looked at, the newest first. */
const LOOKED_AT = 100;

/** How many elements stand before the keywords, and which of those speak of the proof. */
const BEFORE_KEYWORDS: ReadonlyMap<string, number> = new Map([
  ['THM', 2],
  ['DEFTHM', 3],
  ['DEFTHMD', 3],
  ['VERIFY-GUARDS', 2],
]);
const OF_PROOF: ReadonlySet<string> = new Set([':HINTS', ':INSTRUCTIONS']);

export function retryTool(options: EvaluateToolOptions): Tool {
  const isConjecture = ({ report }: EvaluationRecord) => report?.proof?.events.at(-1)?.operator === 'THM';
  return proverAdapters(options)('acl2_retry', {
    description:
      'Tries a theorem, conjecture or VERIFY-GUARDS that has failed in this session again, with other hints; one that is proved is admitted as it would have been.',
    args: Retried,
    code: async ({ hints, name }, session) => {
      const read = oneForm(hints, 'hints');
      return withHints(await failedForm(session, name, options), read);
    },
    render: (record, ours) => (isConjecture(record) ? provabilityText : admissionText)(record, ours),
    succeeds: (record) => (isConjecture(record) ? isProved(record) : isAccepted(record)),
  });
}

/** @throws HarborError `bad_arguments` where nothing of that kind has failed */
async function failedForm(
  session: Session,
  name: string | undefined,
  { history }: EvaluateToolOptions,
): Promise<OneForm> {
  const { rows } = await history.page({ session: session.id, limit: LOOKED_AT });
  for (const { id } of rows) {
    const row = history.evaluations.find(id);
    const form = row && failedFormsOf(row).findLast((each) => name === undefined || isNamed(each, name));
    if (form) return form;
  }
  const what = name === undefined ? 'No theorem, conjecture or VERIFY-GUARDS' : `No event ${name}`;
  throw new HarborError(
    'bad_arguments',
    `${what} has failed lately in ${session.id}: submit it with its hints.`,
  );
}

/** What a file had is not in the code of the evaluation that loaded it. */
function failedFormsOf({ code: submitted, report }: Evaluation): OneForm[] {
  const forms = formsIn(submitted, 'common-lisp') ?? [];
  return (report?.proof?.events ?? []).flatMap(({ form, operator, verdict, place }) => {
    const isFailed = verdict === 'failed' || verdict === 'interrupted';
    if (!isFailed || place !== undefined || operator === null || !BEFORE_KEYWORDS.has(operator)) return [];
    // A keyword command is several forms to a reader.
    const text = [forms[form], ...forms.toReversed()].find(
      (each) => each !== undefined && operatorOf(each) === operator,
    );
    return text === undefined ? [] : [oneForm(text, 'code')];
  });
}

function operatorOf(form: string): string | undefined {
  return /^\(\s*(?:acl2::)?([\w-]+)/i.exec(form)?.[1]?.toUpperCase();
}

function isNamed(form: OneForm, name: string): boolean {
  const [, second] = form.elements('code');
  return String(second).toUpperCase() === name.toUpperCase();
}

/** The form with these hints in place of what it says of its proof. */
function withHints(form: OneForm, hints: OneForm): Code {
  const elements = form.elements('code');
  const start = BEFORE_KEYWORDS.get(operatorOf(String(form)) ?? '') ?? elements.length;
  const keywords = elements.slice(start).flatMap((given, index, all) => {
    const keyword = index % 2 === 1 ? all[index - 1] : undefined;
    return keyword === undefined || OF_PROOF.has(String(keyword).toUpperCase()) ? [] : [keyword, given];
  });
  return code`(${[...elements.slice(0, start), ...keywords]} :hints ${hints})`;
}
