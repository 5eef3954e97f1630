/**
 * What a client can read beside calling tools (MCP server/resources). A family is all resources of one kind, whose
 * addresses one template describes; which of them there are depends on who looks.
 */
import type { Viewer } from '../viewer';

/** As `resources/list` tells it (MCP `Resource`). */
export interface ResourceListing {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
}

/** As `resources/templates/list` tells it (MCP `ResourceTemplate`). */
export interface ResourceTemplate {
  /** RFC 6570, level 1: each variable is one segment of the path. */
  uriTemplate: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
}

/** The variables of an address, decoded. */
export type Variables = Readonly<Record<string, string>>;

export interface ResourceFamily {
  template: ResourceTemplate;
  /** Those worth showing unasked; others may be read as well. */
  list(viewer: Viewer): readonly ResourceListing[];
  /** Whether there is one that the viewer may see. */
  exists(variables: Variables, viewer: Viewer): boolean;
  /** The text of one that exists. @throws HarborError when it cannot be told now */
  read(variables: Variables, viewer: Viewer): Promise<string>;
  /** What a variable can stand for, the likeliest first. */
  values(variable: string, viewer: Viewer): readonly string[];
}

/** What stands between the variables of a template, and their names, by turns: each evaluation has several addresses. */
const PARTS = new WeakMap<ResourceTemplate, readonly string[]>();

/** The address of one resource of a template. */
export function addressOf(template: ResourceTemplate, variables: Variables): string {
  const parts = PARTS.get(template) ?? template.uriTemplate.split(VARIABLE);
  PARTS.set(template, parts);
  return parts
    .map((part, place) => (place % 2 === 0 ? part : encodeURIComponent(variables[part] ?? '')))
    .join('');
}

/** The variables of `uri`, or null when the template does not describe it. */
export function variablesOf({ uriTemplate }: ResourceTemplate, uri: string): Variables | null {
  const segments = uriTemplate.split('/');
  const given = uri.split('/');
  if (segments.length !== given.length) return null;
  const variables: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const text = given[index] ?? '';
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined && segment !== text) return null;
    if (name === undefined) continue;
    const value = decoded(text);
    if (!value) return null;
    variables[name] = value;
  }
  return variables;
}

const VARIABLE = /\{(\w+)\}/;

/** null for what is no encoded text. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
