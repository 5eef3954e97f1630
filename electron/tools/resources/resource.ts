/**
 * MCP resources. A family contains all resources of one kind, whose addresses share one template; which
 * resources exist depends on the viewer.
 */

import { HarborError, listSimilarNames } from '../../contract/errors';
import { distinctNotes, noteComments } from '../../contract/note';

import { trackTouchedImages } from '../../sessions/session/touched-images';
import type { Viewer } from '../viewer';

/** A resource as `resources/list` sends it (MCP `Resource`). */
export interface ResourceListing {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
}

/** A template as `resources/templates/list` sends it (MCP `ResourceTemplate`). */
export interface ResourceTemplate {
  /** RFC 6570, level 1. Each variable is one path segment. */
  uriTemplate: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
}

/** The decoded variables of an address. */
export type Variables = Readonly<Record<string, string>>;

export interface ResourceFamily {
  template: ResourceTemplate;
  /** Returns the resources worth listing. Others may be read as well. */
  list(viewer: Viewer): readonly ResourceListing[];
  /** Reports whether the resource exists and the viewer may see it. */
  exists(variables: Variables, viewer: Viewer): boolean;
  /**
   * Returns the text of an existing resource.
   * @throws HarborError if it is not available now
   */
  read(variables: Variables, viewer: Viewer): Promise<string>;
  /** Returns the values that a variable can have, the most likely first. */
  values(variable: string, viewer: Viewer): readonly string[];
}

/**
 * The fixed parts of a template and the names of its variables, alternating. Cached, since each evaluation
 * has several addresses.
 */
const PARTS = new WeakMap<ResourceTemplate, readonly string[]>();

/** Returns the address of one resource of a template. */
export function addressOf(template: ResourceTemplate, variables: Variables): string {
  const parts = PARTS.get(template) ?? template.uriTemplate.split(VARIABLE);
  PARTS.set(template, parts);
  return parts
    .map((part, place) => (place % 2 === 0 ? part : encodeURIComponent(variables[part] ?? '')))
    .join('');
}

/** Returns the variables of `uri`; null if the template does not match. */
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

/** Returns null if the text is not URL-encoded correctly. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

// The resources of the harbor as one client sees them: listed in pages, read by address, completed.

/** Maximum number of resources in one `resources/list` result. */
export const RESOURCES_PAGE = 50;

interface ResourcePage {
  resources: ResourceListing[];
  /** Cursor of the next page; undefined at the end. */
  next: string | undefined;
}

interface ResourceText {
  uri: string;
  mimeType: string;
  text: string;
}

export class OfferedResources {
  readonly #families: readonly ResourceFamily[];
  readonly #viewer: () => Viewer;

  /** @param viewer called each time, since the project of a client may change */
  constructor(families: readonly ResourceFamily[], viewer: () => Viewer) {
    this.#families = families;
    this.#viewer = viewer;
  }

  get templates(): ResourceTemplate[] {
    return this.#families.map(({ template }) => template);
  }

  /**
   * @param cursor `next` of the previous page
   * @throws HarborError `bad_arguments` if the resource at the cursor is gone; the caller must start over
   */
  list(cursor?: string): ResourcePage {
    const viewer = this.#viewer();
    const all = this.#families.flatMap((family) => family.list(viewer));
    const from = cursor === undefined ? 0 : all.findIndex(({ uri }) => cursorAt(uri) === cursor) + 1;
    if (cursor !== undefined && from === 0)
      throw new HarborError(
        'bad_arguments',
        'The list has changed since that page. Request it again from the start.',
      );
    const resources = all.slice(from, from + RESOURCES_PAGE);
    const last = resources.at(-1);
    const more = last !== undefined && from + RESOURCES_PAGE < all.length;
    return { resources, next: more ? cursorAt(last.uri) : undefined };
  }

  /**
   * @throws HarborError `unknown_resource`, both if there is none and if the viewer may not see it; else
   *   errors of the session or the history
   */
  async read(uri: string): Promise<ResourceText> {
    const { family, variables } = this.#find(uri);
    const text = await trackTouchedImages(async (touched) => {
      const own = await family.read(variables, this.#viewer());
      const notes = distinctNotes([...touched.values()].flatMap(({ sandboxNotes }) => sandboxNotes));
      return noteComments(notes) + own;
    });
    return { uri, mimeType: family.template.mimeType, text };
  }

  /** @throws HarborError `unknown_resource` */
  require(uri: string): void {
    this.#find(uri);
  }

  /**
   * Returns the values of a template variable that begin with `beginning`.
   * @throws HarborError `bad_arguments` if there is no such template
   */
  complete(uriTemplate: string, variable: string, beginning: string): string[] {
    const family = this.#families.find(({ template }) => template.uriTemplate === uriTemplate);
    if (!family) {
      const known = this.templates.map((template) => template.uriTemplate);
      throw new HarborError(
        'bad_arguments',
        `No template ${uriTemplate}. ${listSimilarNames(uriTemplate, known)}`,
      );
    }
    return family.values(variable, this.#viewer()).filter((value) => value.startsWith(beginning));
  }

  #find(uri: string): { family: ResourceFamily; variables: Variables } {
    for (const family of this.#families) {
      const variables = variablesOf(family.template, uri);
      if (variables && family.exists(variables, this.#viewer())) return { family, variables };
    }
    const viewer = this.#viewer();
    const known = this.#families.flatMap((family) => family.list(viewer).map((each) => each.uri));
    throw new HarborError(
      'unknown_resource',
      `No resource ${uri} that this client may read. ${listSimilarNames(uri, known)}`,
    );
  }
}

/** Returns a cursor, which is opaque to clients. */
function cursorAt(uri: string): string {
  return Buffer.from(uri).toString('base64url');
}
