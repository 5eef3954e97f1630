/** One of our tools under another system's name, with that system's arguments and words. */
import type { z } from 'zod';
import type { EngineName } from '../../contract/model';
import { checkedArguments } from '../arguments';
import { type Caller, noted, type Tool, type ToolResult } from '../tool';

export interface ToolAdapter<A extends z.ZodObject, T extends z.ZodObject, R extends z.ZodType> {
  name: string;
  description: string;
  /** Named as that system's document names them. */
  args: A;
  /** Whose default session calls speak to that name none; absent: that of the connection. */
  engine?: EngineName;
  /** The arguments of our tool that these ask for. */
  toArguments(given: z.output<A>, caller: Caller): z.input<T> | Promise<z.input<T>>;
  /** The result as that system would print it; absent: as our tool does.
   * @param ours how our tool does, without the notes, which stand beside */
  render?(result: z.input<R>, given: z.output<A>, ours: string): string;
  /** Members of its results beside their content. */
  beside?(result: z.input<R>, caller: Caller): Record<string, string>;
  /** Whether that system would call it a failure although our tool does not. */
  fails?(result: z.input<R>): boolean;
}

/** What our results tell and other systems' texts have no place for. */
interface Noted {
  notes: readonly string[];
}

/** Makes adapters of one tool: `const evaluation = adaptersOf(evalTool(options))`, then `evaluation({ name: 'lisp_eval', … })`. */
export function adaptersOf<T extends z.ZodObject, R extends z.ZodType<unknown, Noted>>(tool: Tool<T, R>) {
  return <A extends z.ZodObject>(adapter: ToolAdapter<A, T, R>): Tool<A, R> => {
    const { name, description, args, engine, toArguments, render, beside, fails } = adapter;
    return {
      ...tool,
      of: tool.of ?? tool.name,
      name,
      description,
      args,
      async run(given, client) {
        const caller = engine === undefined ? client : speakingTo(engine, client);
        const result = await tool.run(checkedArguments(tool, await toArguments(given, caller)), caller);
        const adapted: typeof result = {
          ...result,
          isError: result.isError || fails?.(result.structured) === true,
          ...(beside ? { beside: beside(result.structured, caller) } : {}),
        };
        return render ? inWords(adapted, render(result.structured, given, withoutNotes(result))) : adapted;
      },
    };
  };
}

function speakingTo(engine: EngineName, caller: Caller): Caller {
  return { ...caller, engine, defaultSession: () => caller.defaultSession(engine) };
}

/** Notes end our texts. */
function withoutNotes<R extends Noted>({ text, structured }: ToolResult<R>): string {
  const notes = structured.notes.map((each) => `\n; ${noted(each)}`).join('');
  return text.endsWith(notes) ? text.slice(0, text.length - notes.length) : text;
}

function inWords<R extends Noted>(result: ToolResult<R>, text: string): ToolResult<R> {
  return { ...result, text, asides: result.structured.notes.map(noted) };
}
