/**
 * The theorem proving tools of the profile `acl2`, under the names of its documentation and of its later
 * versions.
 */

import { z } from 'zod';
import { HarborError, listSimilarNames } from '../../contract/errors';

import { bookFile } from '../../sandbox/project-files';
import type { Session } from '../../sessions/session/session';
import { code, stringCode } from '../../source/code';
import { type EvaluateToolOptions, requireBalanced } from '../../tools/evaluation/evaluation-answer';
import { type EvaluationRecord, lastValues } from '../../tools/evaluation/record';
import type { Tool } from '../../tools/tool';
import {
  conjectureForm,
  eventName,
  firstGiven,
  inSession,
  keyword,
  oneForm,
  type ProverAdapter,
  type ProverArguments,
  proverAdapters,
  wholeNumber,
} from './acl2-adapters';
import {
  admissionText,
  evaluationText,
  isAccepted,
  isProved,
  isRefusedForItsRule,
  provabilityText,
  suggestionsText,
  tracingText,
  undoneText,
} from './acl2-text';

const Code = z.strictObject({ code: z.string().min(1).describe('ACL2 forms'), ...inSession });

const ADMIT: ProverAdapter<typeof Code> = {
  description:
    'Submits events (defun, defthm, …): admitted ones stay in the world; for a rejected one the key checkpoints are returned.',
  args: Code,
  code: ({ code }) => code,
  render: admissionText,
  succeeds: isAccepted,
};

const Conjecture = z.strictObject({
  code: z.string().min(1).describe('A term, (thm …) or (defthm …)'),
  hints: z.string().optional().describe('For a term, as after :hints'),
  ...inSession,
});

const CHECK: ProverAdapter<typeof Conjecture> = {
  description:
    'Checks whether THM proves a conjecture in the current world, which is not changed. A failed proof does not refute it.',
  args: Conjecture,
  code: ({ code, hints }) => conjectureForm(code, hints),
  render: provabilityText,
  succeeds: isProved,
};

/** Arguments under the names of the Bridge. */
const Provable = Conjecture.extend({
  conjecture: z.string().min(1).optional().describe('A term, (thm …) or (defthm …)'),
  code: z.string().min(1).optional().describe('The same, as in other versions'),
});

const CHECK_PROVABLE: ProverAdapter<typeof Provable> = {
  ...CHECK,
  args: Provable,
  code: ({ conjecture, code, hints }) => conjectureForm(firstGiven({ conjecture, code }), hints),
};

const Suggesting = z.strictObject({ conjecture: z.string().min(1), ...inSession });

const SUGGEST: ProverAdapter<typeof Suggesting> = {
  description:
    'Tries to prove a conjecture and, if that fails, lists the lemmas, hints and hypotheses that its key checkpoints suggest.',
  args: Suggesting,
  code: ({ conjecture }) => conjectureForm(conjecture),
  render: suggestionsText,
};

const Guarded = z.strictObject({
  function_name: z.string().min(1).optional(),
  name: z.string().min(1).optional().describe('The same, as in other versions'),
  hints: z.string().optional().describe('As after :hints'),
  ...inSession,
});

const VERIFY_GUARDS: ProverAdapter<typeof Guarded> = {
  description:
    'Proves that a function respects the guards of what it calls; on failure returns the key checkpoints.',
  args: Guarded,
  code: ({ function_name, name, hints }) => {
    const named = eventName(
      function_name ?? name ?? '',
      function_name === undefined ? 'name' : 'function_name',
    );
    return hints === undefined
      ? code`(acl2::verify-guards ${named})`
      : code`(acl2::verify-guards ${named} :hints ${oneForm(hints, 'hints')})`;
  },
  render: admissionText,
  succeeds: isAccepted,
};

const Named = z.strictObject({ name: z.string().min(1), ...inSession });

const QUERY: ProverAdapter<typeof Named> = {
  description: 'Shows the event that introduced a name, built-in names included, as :PE does.',
  args: Named,
  code: ({ name }) => code`:pe ${eventName(name)}`,
  render: evaluationText,
};

const EVALUATE: ProverAdapter<typeof Code> = {
  description: 'Evaluates any ACL2 forms, keyword commands (:pbt 0, :pe app) included.',
  args: Code,
  code: ({ code }) => code,
};

const SYNTAX: ProverAdapter<typeof Code> = {
  description: 'Checks whether ACL2 can read and translate the forms; nothing is evaluated or proved.',
  args: Code,
  code: ({ code }, session) => {
    requireBalanced(code, session);
    return session.ability('world').checkCode(code);
  },
  render: (record, ours) => (record.outcome === 'ok' ? checkedText(lastValues(record)) : ours),
};

function checkedText([read = '0', translated = read]: readonly string[]): string {
  const rest = 'forms after an event that introduces names are only read';
  return `ACL2 reads ${read} forms${read === translated ? ' and translates them' : `, and translates ${translated}: ${rest}`}.`;
}

/** `file_path` is its name in other versions. */
const BookName = { book_path: z.string().min(1).optional(), file_path: z.string().min(1).optional() };

const Book = z.strictObject({
  ...BookName,
  dir: z.string().min(1).optional().describe('A keyword: :system'),
  use_system_dir: z.boolean().optional().describe('Among the community books'),
  code: z.string().optional().describe('Forms to evaluate after it'),
  ...inSession,
});

const INCLUDE: ProverAdapter<typeof Book> = {
  description:
    'Includes a book (its name without .lisp) in the session’s world and reports whether it is certified.',
  args: Book,
  code: ({
    book_path,
    file_path,
    use_system_dir,
    dir = use_system_dir ? ':system' : undefined,
    code: after = '',
  }) => {
    const book = stringCode(firstGiven({ book_path, file_path }).replace(/\.lisp$/, ''));
    const included =
      dir === undefined
        ? code`(acl2::include-book ${book})`
        : code`(acl2::include-book ${book} :dir ${keyword(dir, 'dir')})`;
    return [included, after].join('\n');
  },
};

const Certifying = z.strictObject({ ...BookName, ...inSession });

const CERTIFY: ProverAdapter<typeof Certifying> = {
  description:
    'Certifies a book of the project, after changed books that it includes, each in a fresh process; returns the outcome of each event and what the book rests on.',
  args: Certifying,
  code: ({ book_path, file_path }, session) => {
    const { project } = session.identity;
    const file = bookFile(firstGiven({ book_path, file_path }), project, []);
    return session.ability('world').certifyCode(file.replace(/\.lisp$/, ''));
  },
};

const Undoing = z.strictObject({
  count: wholeNumber(1_000).optional().describe('Number of last commands (default 1)'),
  name: z.string().min(1).optional().describe('Instead: undo back to before the command that introduced it'),
  keep_later: z.boolean().optional().describe('With name: submit again what came after it'),
  ...inSession,
});

const UNDO: ProverAdapter<typeof Undoing> = {
  description:
    'Undoes the last commands of the world, or one event; with keep_later the later ones are proved again and stay.',
  args: Undoing,
  code: async ({ count = 1, name, keep_later }, session) => {
    const world = session.ability('world');
    if (name === undefined) return world.undoCode(await commandBefore(Number(count), session));
    const command = await commandOf(name, session);
    return keep_later ? world.undoOneCode(command) : world.undoCode(command - 1);
  },
  render: undoneText,
};

const Traced = z.strictObject({
  function_name: z.string().min(1),
  action: z.enum(['trace', 'untrace', 'status']).optional().describe('Default: status'),
  ...inSession,
});

const TRACE: ProverAdapter<typeof Traced> = {
  description:
    'Traces the calls of a function: evaluations then print each call with its arguments and value. status: what is traced.',
  args: Traced,
  code: ({ function_name, action = 'status' }) => {
    const named = eventName(function_name, 'function_name');
    if (action === 'status') return code`(acl2::trace$)`;
    return action === 'trace' ? code`(acl2::trace$ ${named})` : code`(acl2::untrace$ ${named})`;
  },
  render: (record, ours, { function_name, action = 'status' }) =>
    tracingText(record, action, function_name, ours),
};

/**
 * Returns the number of the command before the last `count` ones.
 * @throws HarborError `bad_arguments` if there are fewer
 */
async function commandBefore(count: number, session: Session): Promise<number> {
  const { total } = await session.ability('world').commands({ limit: 1 });
  if (count <= total) return total - count;
  throw new HarborError(
    'bad_arguments',
    total === 0
      ? 'There is nothing to undo: the world has no command.'
      : `The world has ${total} ${total === 1 ? 'command' : 'commands'} and no more can be undone.`,
  );
}

/**
 * Returns the number of the command that introduced a name, which is read in the session's package.
 * @throws HarborError `unknown_symbol`
 */
async function commandOf(name: string, session: Session): Promise<number> {
  const symbol = String(eventName(name));
  const { definitions } = await session
    .ability('knowledge')
    .describe({ symbol })
    .catch((error: unknown) => {
      if (error instanceof HarborError && error.code === 'unknown_symbol') return { definitions: [] };
      throw error;
    });
  const numbers = definitions.flatMap(({ command = 0 }) => (command > 0 ? [command] : []));
  if (numbers.length > 0) return Math.min(...numbers);
  const { commands } = await session.ability('world').commands({ limit: 100_000 });
  const known = commands.flatMap(({ events }) => events.flatMap(({ names }) => names));
  throw new HarborError(
    'unknown_symbol',
    `No command of this world introduced ${name}. ${listSimilarNames(symbol.toUpperCase(), known)} :pbt 0 shows them all.`,
  );
}

/** Returns a tool under its name in other versions. Its description only refers to the first name. */
function called<A extends ProverArguments>(name: string, adapter: ProverAdapter<A>): ProverAdapter<A> {
  return { ...adapter, description: `The same as ${name}.` };
}

export function proverTools(options: EvaluateToolOptions): Tool[] {
  const prover = proverAdapters(options);
  const check = prover('check_theorem', CHECK);
  return [
    retryingRejected(prover('admit', ADMIT), check),
    ...['acl2_admit', 'acl2_prove'].map((name) =>
      retryingRejected(prover(name, called('admit', ADMIT)), check),
    ),
    check,
    prover('acl2_check_provable', called('check_theorem', CHECK_PROVABLE)),
    prover('suggest_proofs', SUGGEST),
    prover('verify_guards', VERIFY_GUARDS),
    prover('acl2_verify_guards', called('verify_guards', VERIFY_GUARDS)),
    prover('query_event', QUERY),
    prover('acl2_query_event', called('query_event', QUERY)),
    prover('acl2_evaluate', EVALUATE),
    prover('acl2_check_syntax', SYNTAX),
    prover('acl2_include_book', INCLUDE),
    prover('acl2_certify_book', CERTIFY),
    prover('acl2_undo', UNDO),
    prover('trace_execution', TRACE),
  ];
}

type Submitting<A extends z.ZodObject> = Tool<A, typeof EvaluationRecord>;

/**
 * ACL2 may reject a theorem for its rule without testing its formula; the prover is then run on the formula.
 */
function retryingRejected(
  admit: Submitting<typeof Code>,
  check: Submitting<typeof Conjecture>,
): Submitting<typeof Code> {
  return {
    ...admit,
    async run(given, caller) {
      const refused = await admit.run(given, caller);
      if (!isRefusedForItsRule(refused.structured)) return refused;
      // The result is returned in any case. If the code has several forms, none is the formula.
      const tried = await check.run(given, caller).catch(() => null);
      if (tried === null) return refused;
      return { ...refused, text: `${refused.text}\n[The formula by itself]\n${tried.text}` };
    },
  };
}
