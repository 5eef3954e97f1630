/** What a session says otherwise than what was rebuilt from its sources. Pure. */
import type { TrustIssue } from '../../../contract/proof';
import type { Statements } from '../../world';

/** Names that one sentence has, and characters of two formulas that it can have. */
const NAMES = 20;
const FORMULA_CHARACTERS = 800;

export interface Differences {
  /** Why the check does not hold; null where it does. */
  wrong: string | null;
  /** What the report is to say. */
  notes: readonly string[];
}

/** @param claim null where all was asked for: then what is LOCAL in the session is no part of what was rebuilt */
export function differences(session: Statements, rebuilt: Statements, claim: string | null): Differences {
  const built = new Map(rebuilt.statements.map(({ name, term }) => [name, term]));
  const all = session.statements.length === session.count && rebuilt.statements.length === rebuilt.count;
  const others = session.statements.filter(({ name, term }) => built.has(name) && built.get(name) !== term);
  const missing = all ? session.statements.filter(({ name }) => !built.has(name)) : [];
  const [other] = others;
  if (other !== undefined) return { wrong: otherwise(other, built.get(other.name) ?? '', others), notes: [] };
  if (claim !== null && missing.length > 0)
    return {
      wrong: `In the session ${claim} is about what its sources do not make: ${namesOf(missing)}.`,
      notes: [],
    };
  return {
    wrong: null,
    notes: [...missingNote(missing), ...comparedNote(all), ...trustNote(session, rebuilt)],
  };
}

function otherwise(
  { name, term }: Statements['statements'][number],
  built: string,
  others: Statements['statements'],
): string {
  const formulas = term.length + built.length > FORMULA_CHARACTERS ? '' : `: ${term}, and there ${built}`;
  const more = others.length > 1 ? ` So do others: ${namesOf(others.slice(1))}.` : '';
  return `In the session ${name} stands for something else than what its sources make of it${formulas}.${more}`;
}

function missingNote(missing: Statements['statements']): string[] {
  return missing.length === 0
    ? []
    : [`In the session and, as LOCAL events are, no part of what was rebuilt: ${namesOf(missing)}.`];
}

function comparedNote(all: boolean): string[] {
  return all ? [] : ['There are too many theorems and functions to compare all of them with the session’s.'];
}

function trustNote(session: Statements, rebuilt: Statements): string[] {
  const kinds = new Set(rebuilt.issues.map(({ kind }: TrustIssue) => kind));
  const gone = session.issues.filter(({ kind }) => !kinds.has(kind)).map(({ kind }) => kind);
  return gone.length === 0
    ? []
    : [`The session itself rests on ${gone.join(', ')}; what was rebuilt does not.`];
}

function namesOf(statements: Statements['statements']): string {
  const names = statements.slice(0, NAMES).map(({ name }) => name);
  const more = statements.length - names.length;
  return `${names.join(' ')}${more === 0 ? '' : ` and ${more} more`}`;
}
