import { Refusal } from '../../../registry/commands/refusal.ts';
import type { FollowedKey } from '../../keyboard/typed-run.ts';
import { typedGap } from '../../kit/typed-gap.ts';

/**
 * Waits until a key can no longer be part of a typed text. Throws Refusal where it is one.
 * @param pressed absent for what no key asked for
 * @param later calls once after a time (ms)
 */
export async function requireMeant(
  pressed: Pick<FollowedKey, 'onText'> | undefined,
  later: (run: () => void, ms: number) => void,
): Promise<void> {
  if (pressed === undefined) return;
  await new Promise<void>((resolve, reject) => {
    pressed.onText(() => reject(new Refusal('Nothing was followed: it looked like typing.')));
    later(resolve, typedGap);
  });
}
