/** Tools of cl-mcp-server that answer what code of ours prints in the image. It runs code of others, such as .asd files, so
 * each is an evaluation. */
import type { z } from 'zod';
import type { Code } from '../../source/code';
import { evalTool } from '../evaluation/eval-tool';
import type { EvaluateToolOptions } from '../evaluation/evaluation-answer';
import type { EvaluationRecord } from '../evaluation/record';
import type { Tool } from '../tool';
import type { CallLimits } from './cl-mcp-server-limits';
import { errorText, evaluationText } from './cl-mcp-server-text';
import { adaptersOf } from './tool-adapter';

export function reportsOf(options: EvaluateToolOptions, limits: CallLimits) {
  const evaluation = adaptersOf(evalTool(options));
  return <A extends z.ZodObject>(
    name: string,
    description: string,
    args: A,
    codeOf: (given: z.output<A>) => Code,
  ): Tool =>
    evaluation({
      name,
      description,
      args,
      toArguments: async (given, caller) => ({
        code: String(codeOf(given)),
        ...(await limits.toArguments(caller)),
      }),
      render: printedText,
    });
}

/** A failure without its backtrace: the code is not the caller's. */
function printedText(record: EvaluationRecord): string {
  const { outcome, condition, stdout } = record;
  if (condition) return errorText({ ...condition, frames: [] }, record.engine);
  return outcome === 'ok' ? stdout.trimEnd() : evaluationText(record);
}
