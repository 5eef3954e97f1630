/** All resources of the harbor, as one client sees them: listed page by page, read by address, completed. */
import { HarborError } from '../../contract/errors';
import { thereAre } from '../../contract/names-there';
import { asOneCall } from '../../sessions/session/asked-images';
import type { Viewer } from '../viewer';
import {
  type ResourceFamily,
  type ResourceListing,
  type ResourceTemplate,
  type Variables,
  variablesOf,
} from './resource';

/** Resources of one answer to `resources/list`. */
export const RESOURCES_PAGE = 50;

export interface ResourcePage {
  resources: ResourceListing[];
  /** Where the next page begins; undefined at the end. */
  next: string | undefined;
}

export interface ResourceText {
  uri: string;
  mimeType: string;
  text: string;
}

export class OfferedResources {
  readonly #families: readonly ResourceFamily[];
  readonly #viewer: () => Viewer;

  /** @param viewer asked anew each time: the project of a client may change */
  constructor(families: readonly ResourceFamily[], viewer: () => Viewer) {
    this.#families = families;
    this.#viewer = viewer;
  }

  get templates(): ResourceTemplate[] {
    return this.#families.map(({ template }) => template);
  }

  /** @param cursor `next` of the page before
   * @throws HarborError `bad_arguments` when what stood there is gone: the list begins anew */
  list(cursor?: string): ResourcePage {
    const viewer = this.#viewer();
    const all = this.#families.flatMap((family) => family.list(viewer));
    const from = cursor === undefined ? 0 : all.findIndex(({ uri }) => cursorAt(uri) === cursor) + 1;
    if (cursor !== undefined && from === 0)
      throw new HarborError('bad_arguments', 'The list has changed since that page; begin it anew.');
    const resources = all.slice(from, from + RESOURCES_PAGE);
    const last = resources.at(-1);
    const more = last !== undefined && from + RESOURCES_PAGE < all.length;
    return { resources, next: more ? cursorAt(last.uri) : undefined };
  }

  /** @throws HarborError `unknown_resource`, the same whether there is none or it is not to be seen; else as the
   * session or the history says */
  async read(uri: string): Promise<ResourceText> {
    const { family, variables } = this.#find(uri);
    const text = await asOneCall(async (asked) => {
      const own = await family.read(variables, this.#viewer());
      const notes = new Set([...asked.values()].flatMap(({ sandboxNotes }) => sandboxNotes));
      return [...notes].map((note) => `; ${note}\n`).join('') + own;
    });
    return { uri, mimeType: family.template.mimeType, text };
  }

  /** @throws HarborError `unknown_resource` */
  require(uri: string): void {
    this.#find(uri);
  }

  /** What a variable of a template can stand for that begins with `beginning`.
   * @throws HarborError `bad_arguments` when there is no such template */
  complete(uriTemplate: string, variable: string, beginning: string): string[] {
    const family = this.#families.find(({ template }) => template.uriTemplate === uriTemplate);
    if (!family) {
      const known = this.templates.map((template) => template.uriTemplate);
      throw new HarborError('bad_arguments', `No template ${uriTemplate}. ${thereAre(uriTemplate, known)}`);
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
      `There is no resource ${uri} that this client may read. ${thereAre(uri, known)}`,
    );
  }
}

/** Opaque to clients. */
function cursorAt(uri: string): string {
  return Buffer.from(uri).toString('base64url');
}
