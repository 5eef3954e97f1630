/** `lisp://source/{path}`: a text file that the allow-list lets the client read. They are found by the template; `find`
 * and the tools for files say which there are. */
import { HarborError } from '../../contract/errors';
import { type FileToolOptions, openText } from '../files/text-files';
import type { ResourceFamily, ResourceTemplate } from './resource';

export const SOURCE_TEMPLATE: ResourceTemplate = {
  uriTemplate: 'lisp://source/{path}',
  name: 'source',
  title: 'A source file',
  description:
    'The text of a file of the project, by its path relative to it, or of a library, by its absolute path; slashes are written %2F.',
  mimeType: 'text/plain',
};

export function sourceResource(options: FileToolOptions): ResourceFamily {
  return {
    template: SOURCE_TEMPLATE,
    list: () => [],
    // Only opening a file shows whether it may be read.
    exists: () => true,
    read: async ({ path = '' }, { project }) =>
      (await openText(path, { project }, options).catch(unknown)).text,
    values: () => [],
  };
}

/** A file that is not there is a resource that is not there. */
function unknown(error: unknown): never {
  if (error instanceof HarborError && error.code === 'file_missing')
    throw new HarborError('unknown_resource', error.message);
  throw error;
}
