/**
 * Our texts as each profile may say them. Errors and notes name tools of ours, always in backticks. A profile that has none of
 * that name says its own tool that is made of ours, where that takes the arguments which the sentence speaks of; else the
 * sentence, or the parenthesis, is left out. So nobody is sent to a tool that they do not have, whoever wrote the text.
 */
import { HarborError } from '../../contract/errors';
import type { Tool, ToolResult } from '../tool';
import type { Profile } from './profile';

/** Answers the text as a profile says it; empty where nothing of it is left. */
export type Wording = (text: string) => string;

/** A sentence with the blanks behind it, or a line. A dot inside a name ends nothing. */
const SENTENCE = /[\s\S]*?(?:[.!?…](?=\s|$)\s*|\n+|$)/g;
const PARENTHESIS = / ?\([^()]*\)/g;
const NAMED = /`([\w-]+)`/g;

/** @param all the tools that texts of ours may name, those of every profile, ours first */
export function wordingOf({ tools }: Pick<Profile, 'tools'>, all: readonly Tool[]): Wording {
  const known = new Map(all.toReversed().map((tool) => [tool.name, tool]));
  const nameIn = (tool: Tool, sentence: string): string | null => {
    const spokenOf = Object.keys(tool.args.shape).filter((name) => hasWord(sentence, name));
    const standIn = tools.find(
      ({ name, of = name, args }) => of === tool.name && spokenOf.every((each) => each in args.shape),
    );
    return standIn?.name ?? null;
  };
  /** null where it names what the profile does not have. */
  const said = (part: string): string | null => {
    let unknown = false;
    const renamed = part.replaceAll(NAMED, (written, name: string) => {
      const tool = known.get(name);
      const own = tool && nameIn(tool, part);
      if (own === null) unknown = true;
      return own ? `\`${own}\`` : written;
    });
    return unknown ? null : renamed;
  };
  return (text) => {
    if (said(text) === text) return text;
    const sentences = text.replaceAll(PARENTHESIS, (part) => said(part) ?? '').match(SENTENCE) ?? [];
    return sentences
      .map((sentence) => said(sentence) ?? '')
      .join('')
      .trimEnd();
  };
}

function hasWord(sentence: string, word: string): boolean {
  return new RegExp(`(?<![\\w\`])${word}(?![\\w\`])`).test(sentence);
}

/** A result in the words of its profile: its notes, wherever it tells them. The rest of it names no tool. */
export function resultIn(wording: Wording, result: ToolResult): ToolResult {
  const { structured, asides } = result;
  const notes = Array.isArray(structured.notes) ? structured.notes.map(String) : [];
  const others = notes.filter((note) => wording(note) !== note);
  const text = others.reduce((told, note) => {
    const said = wording(note);
    return told.replaceAll(`\n; note: ${note}`, () => (said === '' ? '' : `\n; note: ${said}`));
  }, result.text);
  return {
    ...result,
    text,
    ...(others.length === 0 ? {} : { structured: { ...structured, notes: worded(notes, wording) } }),
    ...(asides ? { asides: worded(asides, wording) } : {}),
  };
}

/** What was thrown, in the words of its profile. What happened is told in any case. */
export function errorIn(wording: Wording, error: unknown): unknown {
  if (!(error instanceof HarborError)) return error;
  const { message, notes } = error;
  const said = wording(message) || message.replaceAll(NAMED, 'that');
  return error.saying(said, worded(notes, wording));
}

function worded(notes: readonly string[], wording: Wording): string[] {
  return notes.map(wording).filter((note) => note !== '');
}
