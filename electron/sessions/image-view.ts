/** What the view of a session tells of its image alone: where it is, and what it can do beside evaluating. */
import type { SessionView } from '../contract/model';
import type { Image } from '../images/image';

export function imageView(
  image: Image,
): Pick<SessionView, 'package' | 'sandbox' | 'checkpoints' | 'slime' | 'world' | 'rawLisp'> {
  return {
    package: image.package,
    sandbox: image.sandbox,
    checkpoints: image.checkpoints !== undefined,
    slime: image.slime !== undefined,
    world: image.world !== undefined,
    ...(image.rawLisp ? { rawLisp: image.rawLisp.allowed } : {}),
  };
}
