/**
 * Sentences that name tools of ours. A fact is a text without names of tools; a mention says how to continue
 * with a tool. Both become a text only for a reader, because another profile may have other names, or no such
 * tool. Imports nothing, because errors load it.
 */

export const OUR_TOOLS = [
  'images',
  'open_session',
  'close_session',
  'eval',
  'job',
  'debug',
  'inspect',
  'describe',
  'find',
  'load',
  'run_tests',
  'read_file',
  'edit_form',
  'write_file',
  'checkpoint',
  'history',
] as const;
export type OurTool = (typeof OUR_TOOLS)[number];

/** A tool of ours, and the arguments that the sentence passes to it. */
export interface NamedTool {
  tool: OurTool;
  takes: readonly string[];
}

/** Sentences in parts. They are for readers that have each named tool. */
export interface Mention {
  parts: readonly (string | NamedTool)[];
  /** Whether they state the fact as well, and so replace its text. */
  instead?: true | undefined;
}

export function ours(tool: OurTool, ...takes: readonly string[]): NamedTool {
  return { tool, takes };
}

/** Template tag: `` mention`Use ${ours('find', 'kind')} with kind apropos.` ``. */
export function mention(
  texts: TemplateStringsArray,
  ...inserted: readonly (string | number | NamedTool | Mention)[]
): Mention {
  return {
    parts: texts.flatMap((text, place) => [text, ...partsOf(inserted[place] ?? '')]),
  };
}

/** The sentences replace the text of the fact. */
export function instead(sentences: Mention): Mention {
  return { ...sentences, instead: true };
}

function partsOf(inserted: string | number | NamedTool | Mention): Mention['parts'] {
  if (typeof inserted === 'object') return 'parts' in inserted ? inserted.parts : [inserted];
  return [String(inserted)];
}

/** Returns the reader's name of a tool that takes the arguments; null if it has none. */
export type ToolNames = (tool: NamedTool) => string | null;

/** The names of our own profile. */
export const OUR_NAMES: ToolNames = ({ tool }) => tool;

/** A fact, and how to continue. */
export interface Message {
  text: string;
  mentions?: readonly Mention[] | undefined;
}

/** Returns the fact and those mentions whose tools the reader has. */
export function messageText({ text, mentions = [] }: Message, names: ToolNames = OUR_NAMES): string {
  const sentences = mentions.flatMap(({ parts, instead }) => {
    const sentence = mentionText(parts, names);
    return sentence === null ? [] : [{ sentence, instead }];
  });
  const fact = text === '' || sentences.some(({ instead }) => instead) ? [] : [text];
  return [...fact, ...sentences.map(({ sentence }) => sentence)].join(' ');
}

/** Returns null if the reader lacks a tool. */
export function mentionText(parts: Mention['parts'], names: ToolNames): string | null {
  const texts = parts.map((part) => {
    if (typeof part === 'string') return part;
    const name = names(part);
    return name === null ? null : `\`${name}\``;
  });
  return texts.includes(null) ? null : texts.join('');
}
