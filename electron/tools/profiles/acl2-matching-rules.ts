/** What :PL prints of a term, its matching rules with five lines each, in a line or two each. */
import { cut } from '../../history/cut-text';

/** Rules that are told; ACL2 can have hundreds for a common function. */
const MOST = 30;

/** Characters of what a rule makes of a term, and of its hypotheses. */
const LONGEST = 300;

interface MatchingRule {
  /** Its rune. */
  rule: string;
  enabled: boolean;
  /** As :PL titles them: New term, Hypotheses, Equiv, Free variable and others. */
  fields: ReadonlyMap<string, string>;
}

/** The enabled ones first, each in ACL2's order: it tries them so. */
export function matchingRulesText(printed: string): string {
  const rules = rulesIn(printed);
  if (rules.length === 0) return 'No rule of this world matches the term.';
  const enabled = rules.filter((each) => each.enabled);
  const told = [...enabled, ...rules.filter((each) => !each.enabled)];
  const more = told.length - MOST;
  return [
    `${counted(rules.length)} ${rules.length === 1 ? 'matches' : 'match'}, ${enabled.length} of them enabled, in the order in which ACL2 tries them:`,
    ...told.slice(0, MOST).map(ruleText),
    ...(more > 0 ? [`${more} more: narrow the term, or read :pl with acl2_evaluate.`] : []),
  ].join('\n');
}

function counted(rules: number): string {
  return rules === 1 ? '1 rule' : `${rules} rules`;
}

/** A block for each rule, with blank lines between; a field may go on over several lines. */
function rulesIn(printed: string): MatchingRule[] {
  return printed.split(/\n\s*\n/).flatMap((block): MatchingRule[] => {
    const [title = '', ...lines] = block.trim().split(/\n(?= {2}\S)/);
    const rule = /^\(:[\s\S]*?\)/.exec(title)?.[0];
    if (rule === undefined) return [];
    return [{ rule: oneLine(rule), enabled: !title.includes('(disabled)'), fields: fieldsIn(lines) }];
  });
}

function fieldsIn(lines: readonly string[]): Map<string, string> {
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [, name, value] = /^ {2}([A-Z][\w ]*):([\s\S]*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, oneLine(value)]];
    }),
  );
}

/** Fields that have words of their own here; a substitution can be read off the rest. */
const KNOWN: ReadonlySet<string> = new Set(['New term', 'Hypotheses', 'Equiv', 'Substitution']);

function ruleText({ rule, enabled, fields }: MatchingRule): string {
  const term = fields.get('New term');
  const hypotheses = fields.get('Hypotheses') ?? '<none>';
  const equivalence = fields.get('Equiv') ?? 'EQUAL';
  const others = [...fields].filter(([name]) => !KNOWN.has(name));
  return [
    `${rule}${enabled ? '' : ' (disabled)'}${term === undefined ? '' : ` → ${cut(term, LONGEST)}`}${equivalence === 'EQUAL' ? '' : ` under ${equivalence}`}`,
    ...(hypotheses === '<none>' ? [] : [`  if ${cut(hypotheses.slice(1, -1), LONGEST)}`]),
    ...others.map(([name, value]) => `  ${name.toLowerCase()}: ${cut(value, LONGEST)}`),
  ].join('\n');
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
