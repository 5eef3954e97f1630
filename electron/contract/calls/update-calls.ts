/** Calls of the window about newer versions of the app. */
import { z } from 'zod';
import { UpdateView } from '../updates';
import { type CallTable, nothing } from './parameters';

export const updateCalls = {
  'updates:read': { args: nothing, result: UpdateView },
  /** Answers when it is known whether there is a newer version. */
  'updates:look': { args: nothing, result: UpdateView },
  /** Begins to fetch the version that was found. @throws HarborError `bad_arguments` */
  'updates:get': { args: nothing, result: UpdateView },
  /** Installs what is here as soon as no evaluation runs, or takes that back. @throws HarborError `bad_arguments` */
  'updates:install': { args: z.object({ wanted: z.boolean() }), result: UpdateView },
} satisfies CallTable;
