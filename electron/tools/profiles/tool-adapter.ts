/** A tool of ours under the name and the arguments of another system, whose result it tells in that system's words. */
import type { z } from 'zod';
import type { EngineName } from '../../contract/model';
import { checkedArguments } from '../arguments';
import type { Caller, Tool, ToolResult } from '../tool';

export interface Face<A extends z.ZodObject, T extends z.ZodObject, R extends z.ZodType> {
  name: string;
  description: string;
  /** Named as that system's document names them. */
  args: A;
  /** Whose default session calls speak to that name none; absent: that of the connection. */
  engine?: EngineName;
  /** What our tool is asked. */
  asks(given: z.output<A>, caller: Caller): z.input<T> | Promise<z.input<T>>;
  /** Its result as that system would print it; absent: as our tool tells it. */
  tells?(result: z.input<R>, given: z.output<A>): string;
  /** Members that its results have beside their content. */
  beside?(result: z.input<R>, caller: Caller): Record<string, string>;
  /** Whether that system would call it a failure although our tool does not. */
  fails?(result: z.input<R>): boolean;
}

/** What our results tell beside what other systems' texts have a place for. */
interface Noted {
  notes: readonly string[];
}

/** Makes faces of one tool: `const evaluation = facesOf(evalTool(options))`, then `evaluation({ name: 'lisp_eval', … })`. */
export function facesOf<T extends z.ZodObject, R extends z.ZodType<unknown, Noted>>(tool: Tool<T, R>) {
  return <A extends z.ZodObject>(shown: Face<A, T, R>): Tool<A, R> => {
    const { name, description, args, engine } = shown;
    return {
      ...tool,
      name,
      description,
      args,
      async run(given, caller) {
        const asker = engine === undefined ? caller : speakingTo(engine, caller);
        const result = await tool.run(checkedArguments(tool, await shown.asks(given, asker)), asker);
        const told: typeof result = {
          ...result,
          isError: result.isError || shown.fails?.(result.structured) === true,
          ...(shown.beside ? { beside: shown.beside(result.structured, asker) } : {}),
        };
        return shown.tells ? inWords(told, shown.tells(result.structured, given)) : told;
      },
    };
  };
}

function speakingTo(engine: EngineName, caller: Caller): Caller {
  return { ...caller, engine, defaultSession: () => caller.defaultSession(engine) };
}

function inWords<R extends Noted>(result: ToolResult<R>, text: string): ToolResult<R> {
  return { ...result, text, asides: result.structured.notes.map((note) => `note: ${note}`) };
}
