/** All families of resources, in the order in which they are listed. */

import type { FileToolOptions } from '../files/text-files';
import { guideResource } from './guide-resource';
import { historyResource } from './history-resource';
import type { ResourceFamily } from './resource';
import { definitionsResource, type SessionResourceOptions, transcriptResource } from './session-resources';
import { sourceResource } from './source-resource';

export interface ResourcesOptions extends SessionResourceOptions, FileToolOptions {
  /** Folder of the guides to the engines. */
  guides: string;
}

export function resources(options: ResourcesOptions): readonly ResourceFamily[] {
  return [
    guideResource(options.guides),
    transcriptResource(options),
    definitionsResource(options),
    historyResource(options),
    sourceResource(options),
  ];
}
