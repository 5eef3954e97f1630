/** What an image can do beside evaluating. Tools ask for an ability; the answer to a missing one says what there is. */
import { HarborError } from '../contract/errors';
import type { EngineName } from '../contract/model';
import type { Image } from '../images/image';

/** The optional groups of images/image.ts. */
export type Ability =
  | 'knowledge'
  | 'inspector'
  | 'loader'
  | 'debugger'
  | 'checkpoints'
  | 'profiler'
  | 'memory';

/** What an agent asks for to use each. */
const TOOLS: Readonly<Record<Ability, string>> = {
  knowledge: '`describe` and `find`',
  inspector: '`inspect`',
  loader: '`load` and `run_tests`',
  debugger: '`debug`',
  checkpoints: '`checkpoint` and `eval` with try',
  profiler: '`eval` with profile',
  memory: 'what fills its memory in `images`',
};

/** @throws HarborError `not_supported` */
export function abilityOf<A extends Ability>(
  image: Image,
  engine: EngineName,
  ability: A,
): NonNullable<Image[A]> {
  const group = image[ability];
  if (group) return group;
  const others = Object.entries(TOOLS).filter(([name]) => image[name as Ability]);
  const can = ['`eval`', ...others.map(([, tools]) => tools)].join(', ');
  throw new HarborError(
    'not_supported',
    `A session of ${engine} does not offer ${TOOLS[ability]}. It offers ${can}: ask the image itself by evaluating.`,
  );
}

export function imageLost(session: string, because: string): HarborError {
  return new HarborError(
    'image_lost',
    `The image of session ${session} is gone because ${because}. Evaluate something: that starts a fresh one.`,
  );
}
