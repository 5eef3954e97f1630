/** Adapters of `eval` for the profile `acl2`. They use the connection's ACL2 session, or a named one. */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { Session } from '../../sessions/session/session';
import { type Code, code, OneForm, SymbolName } from '../../source/code';
import { sessionOf } from '../../tools/arguments';
import { evalTool } from '../../tools/evaluation/eval-tool';
import type { EvaluateToolOptions } from '../../tools/evaluation/evaluation-answer';
import type { EvaluationRecord } from '../../tools/evaluation/record';
import { adaptersOf } from '../tool-adapter';

/** Arguments that several tools of the profile `acl2` take. */
export const session_id = z.string().optional().describe('Default: your default session');

export const timeout = z.number().positive().max(600).optional();

interface Given {
  session_id?: string | undefined;
  timeout?: number | undefined;
}

/**
 * Returns the session arguments as our tools take them. An evaluation that exceeds `timeout` seconds
 * continues as a job; it is not killed.
 */
export function where({ session_id: session, timeout: seconds }: Given): {
  session?: string;
  wait_ms?: number;
} {
  return {
    ...(session === undefined ? {} : { session }),
    ...(seconds === undefined ? {} : { wait_ms: Math.round(seconds * 1_000) }),
  };
}

/**
 * Returns the given one of several arguments that are synonyms in different versions.
 * @throws HarborError `bad_arguments`
 */
export function firstGiven(given: Readonly<Record<string, string | undefined>>): string {
  const [name] = Object.keys(given);
  const value = Object.values(given).find((each) => each !== undefined);
  if (value === undefined) throw new HarborError('bad_arguments', `Give ${name ?? 'it'}.`);
  return value;
}

/** A whole number, also written as text. Versions differ. */
export function wholeNumber(most: number) {
  return z.union([z.int().min(1).max(most), z.string().regex(/^[1-9]\d{0,3}$/)]);
}

/** A tool of the prover: the code to evaluate, and how its record is judged and rendered. */
export interface ProverAdapter<A extends ProverArguments> {
  description: string;
  args: A;
  /** Returns the caller's own code, or code made from parsed arguments. */
  code(given: z.output<A>, session: Session): string | Code | Promise<string | Code>;
  /** @param ours the text of our own tool; for a job the whole result */
  render?(record: EvaluationRecord, ours: string, given: z.output<A>): string;
  /** Reports whether a successful evaluation is a success of the call. Not called for a job. */
  succeeds?(record: EvaluationRecord): boolean;
}

export type ProverArguments = z.ZodObject<{ session_id: typeof session_id; timeout: typeof timeout }>;

/** Arguments that all of these tools take. */
export const inSession = { session_id, timeout };

export function proverAdapters(options: EvaluateToolOptions) {
  const evaluation = adaptersOf(evalTool(options));
  return <A extends ProverArguments>(name: string, adapter: ProverAdapter<A>) => {
    const { description, args, code, render, succeeds } = adapter;
    return evaluation<A>({
      name,
      description,
      args,
      engine: 'acl2',
      toArguments: async (given, caller) => {
        const { session } = await sessionOf(given.session_id, caller, options.sessions);
        return { code: String(await code(given, session)), ...where(given), session: session.id };
      },
      ...(render
        ? { render: (record, given, ours) => (record.job ? ours : render(record, ours, given)) }
        : {}),
      ...(succeeds ? { fails: (record) => record.job === undefined && !succeeds(record) } : {}),
    });
  };
}

// Conjectures as ACL2's THM takes them, from the forms in which users and agents write them.

/** Conversions of DEFTHM keywords to THM; the other keywords concern its name and its rule. */
const THM_KEYWORDS: ReadonlyMap<string, (given: OneForm) => Code> = new Map(
  Object.entries({
    ':HINTS': (hints) => code`:hints ${hints}`,
    ':OTF-FLG': (flag) => code`:otf-flg ${flag}`,
    ':INSTRUCTIONS': (instructions) => code`:hints (("Goal" :instructions ${instructions}))`,
  }),
);

/**
 * Returns a form that proves `conjecture` and adds nothing to the world: a THM as it is, a DEFTHM without
 * name and rule classes, or a bare term. ACL2's own names are qualified, since the session's package may not
 * import them.
 * @param hints as after `:hints`
 * @throws HarborError `bad_arguments` unless it is one form
 */
export function conjectureForm(conjecture: string, hints?: string): Code {
  const form = oneForm(conjecture, 'code');
  const [operator, ...given] = form.elements('code');
  const named = String(operator)
    .toUpperCase()
    .replace(/^ACL2::?/, '');
  if (named === 'THM') return code`(acl2::thm ${given})`;
  if (named !== 'DEFTHM' && named !== 'DEFTHMD')
    return hints === undefined
      ? code`(acl2::thm ${form})`
      : code`(acl2::thm ${form} :hints ${oneForm(hints, 'hints')})`;
  const [, term, ...keywords] = given;
  if (term === undefined)
    throw new HarborError('bad_arguments', 'This theorem has no formula: write (defthm name formula).');
  return code`(acl2::thm ${[term, ...thmKeywords(keywords)]})`;
}

/** @param keywords each keyword followed by its value */
function thmKeywords(keywords: readonly OneForm[]): Code[] {
  return keywords.flatMap((given, index) => {
    const keyword = index % 2 === 1 ? keywords[index - 1] : undefined;
    return THM_KEYWORDS.get(String(keyword).toUpperCase())?.(given) ?? [];
  });
}

/**
 * @param argument name of the caller's argument
 * @throws HarborError `bad_arguments`
 */
export function oneForm(text: string, argument: string): OneForm {
  return OneForm.read(text, 'common-lisp', argument);
}

/**
 * Parses the name of an event.
 * @throws HarborError `bad_arguments`
 */
export function eventName(text: string, argument = 'name'): SymbolName {
  return SymbolName.read(text, 'common-lisp', argument);
}

/** @throws HarborError `bad_arguments` if the text is not a keyword */
export function keyword(text: string, argument: string): SymbolName {
  const name = eventName(text, argument);
  if (!String(name).startsWith(':'))
    throw new HarborError('bad_arguments', `invalid ${argument}: write a keyword such as :system.`);
  return name;
}
