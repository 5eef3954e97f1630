/** What is new of an evaluation to a conversation that has been told of it before, as a job or held in the debugger. */
import type { Evaluation } from '../../contract/model';
import type { Told } from '../told';
import { isOpen } from './record';

/** A page of what an evaluation printed, which stands beside the news of it. */
export interface OutputTold {
  /** Where the next page begins. */
  next: number;
  /** Whether that is the end of all that it has printed by now. */
  isAll: boolean;
}

/** A row without what was told; `formsTold` counts the forms before those that it has; absent: none. */
export type News = Evaluation & { formsTold?: number };

/**
 * The row with what its conversation has not been told; from then on it has. The end comes with the last value again, and is
 * told whole to whoever asks for it once more.
 * @param page tells of the output in place of the row
 */
export function newsOf(row: Evaluation, told: Told, page?: OutputTold): News {
  const soFar = told.soFar(row.id);
  const { forms, warnings, stdout, stderr } = row;
  const condition = conditionKey(row);
  const isEnd = !isOpen(row);
  const printed = page && !page.isAll ? soFar : { stdout: stdout.length, stderr: stderr.length };
  told.keep(
    row.id,
    isEnd && (page?.isAll ?? true)
      ? null
      : {
          ...{ forms: forms.length, warnings: warnings.length, condition },
          ...{ stdout: printed.stdout, stderr: printed.stderr, offset: page?.next ?? soFar.offset },
        },
  );
  const formsTold = row.outcome === 'ok' ? Math.max(Math.min(soFar.forms, forms.length - 1), 0) : soFar.forms;
  return {
    ...row,
    formsTold,
    forms: forms.slice(formsTold),
    warnings: warnings.slice(soFar.warnings),
    condition: condition === soFar.condition ? null : row.condition,
    ...(page ? { stdout: '', stderr: '' } : unprinted(row, soFar)),
  };
}

/** Where something was dropped, offsets are of no use: what is kept moves on below them. */
function unprinted({ stdout, stderr, outputDropped }: Evaluation, soFar: { stdout: number; stderr: number }) {
  if (outputDropped > 0) return { stdout, stderr };
  return { stdout: stdout.slice(soFar.stdout), stderr: stderr.slice(soFar.stderr) };
}

function conditionKey({ condition }: Evaluation): string | null {
  return condition && JSON.stringify([condition.type, condition.message, condition.level]);
}
