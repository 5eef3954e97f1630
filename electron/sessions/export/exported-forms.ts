/**
 * Which recorded forms make up what a session has defined, and in which order a fresh image can take them. Pure.
 * Definitions come in the order in which they were evaluated last; what the compiler needs to know before its uses
 * comes where it was defined first.
 */
import type { Finding } from '../../contract/knowledge';
import type { RecordedForm } from './recorded-forms';

/** Kinds of definition that must be known before a use is read or compiled. */
const EARLY: ReadonlySet<string> = new Set([
  'package',
  'macro',
  'compiler macro',
  'symbol macro',
  'setf expander',
  'type',
  'structure',
  'constant',
]);

/** Operators whose forms change packages or instruct the compiler; no image knows which form did so. */
const CONTEXT_OPERATORS: ReadonlySet<string> = new Set([
  'export',
  'import',
  'shadow',
  'shadowing-import',
  'use-package',
  'declaim',
]);

export interface ExportedForms {
  /** With the package that each was read in. */
  forms: RecordedForm[];
  /** Definitions whose form is not recorded, because it failed after it had made them. */
  missing: Finding[];
}

/**
 * @param definitions what no file holds, as the image tells it
 * @param recorded everything that was evaluated, in its order
 * @param isAll whether what was said about packages meanwhile comes along
 */
export function exportedForms(
  definitions: readonly Finding[],
  recorded: readonly RecordedForm[],
  isAll = true,
): ExportedForms {
  const formOf = new Map(definitions.map((definition) => [definition, formAt(recorded, definition)]));
  const packages = new Map<RecordedForm, string>();
  const early = new Set<RecordedForm>();
  for (const [{ kind, source }, form] of formOf) {
    if (!form) continue;
    packages.set(form, source?.package ?? form.package);
    if (EARLY.has(kind)) early.add(form);
  }
  const making = recorded.filter((form) => packages.has(form));
  const chosen = isAll ? [...making, ...contextOf(making, recorded)] : making;
  return {
    forms: inOrder(chosen, recorded, early).map((form) => ({
      ...form,
      package: packages.get(form) ?? form.package,
    })),
    missing: definitions.filter((definition) => !formOf.get(definition)),
  };
}

function formAt(recorded: readonly RecordedForm[], { source }: Finding): RecordedForm | undefined {
  const at = source?.position ?? 0;
  return recorded.find(
    ({ evaluation, start, end }) => evaluation === source?.evaluation && start <= at && at < end,
  );
}

/** Nothing from before `making`: that may have been said to an image that is gone. */
function contextOf(making: readonly RecordedForm[], recorded: readonly RecordedForm[]): RecordedForm[] {
  const since = Math.min(...making.map(({ evaluation }) => evaluation));
  return recorded.filter(
    ({ operator, evaluation }) => CONTEXT_OPERATORS.has(operator) && evaluation >= since,
  );
}

function inOrder(
  chosen: readonly RecordedForm[],
  recorded: readonly RecordedForm[],
  early: ReadonlySet<RecordedForm>,
): RecordedForm[] {
  const places = new Map(recorded.map((form, place) => [form, place]));
  const first = new Map(recorded.toReversed().map((form) => [form.defines, places.get(form)]));
  const place = (form: RecordedForm) =>
    (early.has(form) && form.defines !== null ? first.get(form.defines) : places.get(form)) ?? 0;
  return chosen.toSorted((one, other) => place(one) - place(other));
}
