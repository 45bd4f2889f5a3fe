import { expect, test } from 'vitest';
import { requireMeant } from '../../src/web/features/notifications/meant-key.ts';
import { TypedRun } from '../../src/web/keyboard/typed-run.ts';
import { typedGap } from '../../src/web/kit/typed-gap.ts';

/** Presses a key that follows something, and gives how that went and what lets the time pass. */
function press(run: TypedRun, at: number) {
  run.add('W', at);
  let pass = (): void => undefined;
  const outcome = requireMeant(run.follow(), (resolve, ms) => {
    expect(ms).toBe(typedGap);
    pass = resolve;
  }).then(
    () => 'followed',
    (error: unknown) => (error as Error).message,
  );
  return { outcome, pass: () => pass() };
}

test('a key alone follows once no text can go on with it', async () => {
  const { outcome, pass } = press(new TypedRun(), 1_000);
  pass();
  expect(await outcome).toBe('followed');
});

test('a key with which a text begins follows nothing', async () => {
  const run = new TypedRun();
  const { outcome, pass } = press(run, 1_000);
  run.add('i', 1_150);
  pass();
  expect(await outcome).toBe('Nothing was followed: it looked like typing.');
});

test('what no key asked for waits for nothing', async () => {
  await requireMeant(undefined, () => expect.unreachable());
});
