/** The tools of cl-mcp-server that ask the library Telos why code is there. */
import { z } from 'zod';
import { type Code, code, stringCode } from '../../source/code';
import type { EvaluateToolOptions } from '../evaluation/evaluation-answer';
import type { Tool } from '../tool';
import type { CallLimits } from './cl-mcp-server-limits';
import { reportsOf } from './cl-mcp-server-reports';

const name = z.string().min(1).max(500);
const Feature = z.strictObject({ feature: name });
const Named = z.strictObject({ name, package: z.string().max(500).optional() });

export function telosTools(options: EvaluateToolOptions, limits: CallLimits): Tool[] {
  const report = reportsOf(options, limits);
  const ofFeature = (tool: string, what: Code, description: string) =>
    report(
      tool,
      description,
      Feature,
      ({ feature }) => code`(lisp-harbor:describe-telos ${what} ${stringCode(feature)})`,
    );
  const ofName = (tool: string, what: Code, description: string) =>
    report(tool, description, Named, ({ name, package: home }) =>
      home === undefined
        ? code`(lisp-harbor:describe-telos ${what} ${stringCode(name)})`
        : code`(lisp-harbor:describe-telos ${what} ${stringCode(name)} ${stringCode(home)})`,
    );
  return [
    report(
      'telos-list-features',
      'Telos: the features that loaded systems define.',
      z.strictObject({ filter: z.string().max(500).optional() }),
      ({ filter = '' }) => code`(lisp-harbor:describe-telos :features ${stringCode(filter)})`,
    ),
    ofFeature('telos-feature-intent', code`:feature`, 'Telos: why a feature is there.'),
    ofName('telos-get-intent', code`:intent`, 'Telos: why a function or class is there.'),
    ofName('telos-intent-chain', code`:chain`, 'Telos: from a name up to its root feature.'),
    ofFeature('telos-feature-members', code`:members`, 'Telos: what belongs to a feature.'),
    ofFeature('telos-feature-decisions', code`:feature-decisions`, 'Telos: what was decided for a feature.'),
    report(
      'telos-list-decisions',
      'Telos: what was decided for all features.',
      z.strictObject({}),
      () => code`(lisp-harbor:describe-telos :decisions)`,
    ),
  ];
}
