/** `images`, and `call`, which reaches every other tool. */
import { IN_SESSION, Misuse, type ToolCommand } from './tool-command';

export const images: ToolCommand = {
  takes: '',
  about: 'the engines, the sessions that were opened here, how images are sandboxed, and memory',
  words: [0, 0],
  options: {},
  asks: () => ({ tool: 'images', arguments: {} }),
};

export const callTool: ToolCommand = {
  takes: 'TOOL [JSON|-]',
  about: 'calls any tool, such as inspect, debug, checkpoint or history, with arguments in JSON',
  words: [1, 2],
  options: IN_SESSION,
  more: [`lisp-harbor call inspect '{"code": "*package*"}'`, 'lisp-harbor list-tools tells which there are.'],
  async asks(given) {
    const [tool = '', text = '{}'] = given.words;
    const args = text === '-' ? argumentsIn(await given.stdin(), 'stdin') : argumentsIn(text, text);
    return { tool, arguments: args };
  },
};

/** @throws Misuse unless the text is an object of JSON */
export function argumentsIn(text: string, shown: string): Record<string, unknown> {
  const value = parsed(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new Misuse(`Arguments are an object of JSON, such as {"code": "(+ 1 2)"}; ${shown} is none.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
