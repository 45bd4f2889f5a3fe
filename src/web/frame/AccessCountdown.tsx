import { lazyLater } from '../kit/lazy-later.ts';
import { Optional } from '../kit/Optional.tsx';

// No list waits for it.
const Countdowns = lazyLater(async () => (await import('./Countdowns.tsx')).Countdowns);

/** In a status line: how long the person still holds what was given to them on the cluster for a while. */
export function AccessCountdown({ clusterId }: { readonly clusterId: number }) {
  return (
    <Optional what="The countdown of temporary access">
      <Countdowns clusterId={clusterId} />
    </Optional>
  );
}
