import type { Logger } from 'pino';
import { describeError } from '../kit/describe-error.ts';
import type { OperatorFile } from './operator-file.ts';

/** How often the operator's file is read again, ms. */
const interval = 5_000;

/**
 * Calls `adopt` when the contexts of the operator's file became others, one call at a time; the answer ends it.
 * A call that fails is made again at the next look.
 */
export async function followFile(
  file: OperatorFile,
  adopt: () => Promise<void>,
  log: Logger,
): Promise<() => void> {
  // The file hands out the same map until it changes.
  let adopted = await file.contexts();
  let isLooking = false;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      const contexts = await file.contexts();
      if (contexts === adopted) return;
      await adopt();
      adopted = contexts;
    } catch (error) {
      log.warn(
        { err: describeError(error) },
        "The contexts of the operator's kubeconfig could not be stored",
      );
    } finally {
      isLooking = false;
    }
  }

  const timer = setInterval(() => void look(), interval);
  timer.unref();
  return () => clearInterval(timer);
}
