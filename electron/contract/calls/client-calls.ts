/** Calls of the window about client programs: tokens, profiles, configurations. */
import { z } from 'zod';
import { ChosenProfiles, ProfileChoice } from '../chosen-profiles';
import { ConnectAsked, ConnectDiagnosis, ConnectPreview, ConnectView } from '../connections';
import { Scope, TokenView } from '../model';
import { byId, byName, type CallTable, nothing } from './parameters';

export const clientCalls = {
  'tokens:list': { args: nothing, result: z.array(TokenView) },
  /** `token` is the secret, shown this once. */
  'tokens:issue': {
    args: byName.extend({ scopes: z.array(Scope).min(1) }),
    result: z.object({ token: z.string(), view: TokenView }),
  },
  /** Another one of the same name and scopes in its place; `token` is the secret, shown this once. */
  'tokens:rotate': { args: byId, result: z.object({ token: z.string(), view: TokenView }) },
  'tokens:revoke': { args: byId, result: nothing },
  'profiles:list': { args: nothing, result: ChosenProfiles },
  /** Which profile a client is served, from its next request on. @throws HarborError `bad_arguments` */
  'profiles:choose': { args: ProfileChoice, result: ChosenProfiles },
  'connect:list': { args: nothing, result: z.array(ConnectView) },
  'connect:preview': {
    args: byName.extend(ConnectAsked.shape).extend({ action: z.enum(['add', 'remove']) }),
    result: ConnectPreview,
  },
  'connect:add': { args: byName.extend(ConnectAsked.shape), result: ConnectView },
  'connect:remove': { args: byName, result: ConnectView },
  /** A handshake by exactly what is in the program's file. */
  'connect:doctor': { args: byName, result: ConnectDiagnosis },
  /** Has the program ask its person for the entry. */
  'connect:openLink': { args: byName, result: nothing },
} satisfies CallTable;
