import type { Need } from '../../../contract/permissions.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { AnyKind, Around, RelatedObject } from '../../../registry/kinds/kind.ts';
import type { ClusterLive } from '../cluster/cluster.ts';
import { cellReader } from '../dashboard/facts.ts';
import type { Membership } from '../feed/audience.ts';
import { openIfRoom } from '../source/open-if-room.ts';

/** Warnings that are told; the newest. */
const maxWarnings = 20;

/** Follows what stands around one object, as far as its kind asks for it and its person may see it. */
export interface AroundWatch {
  /**
   * Follows what this version names. Undefined where the kind asks for nothing.
   * @param missing the references of this version to objects that do not exist, as far as the person may know
   */
  read(object: KubeObject, missing: readonly RelatedObject[]): Around | undefined;
  leave(): void;
}

interface AroundOptions {
  readonly live: ClusterLive;
  readonly kind: AnyKind;
  readonly namespace: string;
  readonly may: (need: Need) => boolean;
  readonly onChange: () => void;
}

export function createAround({ live, kind, namespace, may, onChange }: AroundOptions): AroundWatch {
  const asks = kind.around ?? [];
  let warnings: { readonly uid: string; readonly membership: Membership } | undefined;

  function followWarnings({ metadata }: KubeObject): void {
    const uid = metadata?.uid ?? '';
    const events = live.kind('event');
    if (warnings?.uid === uid || events === undefined || !may(events.permissions.view)) return;
    warnings?.membership.leave();
    warnings = undefined;
    if (uid === '') return;
    const spec = { ...(namespace === '' ? {} : { namespace }), where: { about: uid } };
    const membership = openIfRoom(() =>
      live.feed(events).join(spec, {
        // Only a view that was read once tells of changes.
        ready: () => {
          warnings?.membership.view.entries();
          onChange();
        },
        changes: onChange,
        state: () => {},
      }),
    );
    if (membership === undefined) return;
    if (membership.isReady) membership.view.entries();
    warnings = { uid, membership };
  }

  function readWarnings(): NonNullable<Around['warnings']> {
    const events = live.kind('event');
    if (events === undefined || warnings?.membership.isReady !== true) return [];
    const cell = cellReader(events);
    const text = (value: unknown) => (typeof value === 'string' ? value : '');
    return [...warnings.membership.view.entries()]
      .filter((entry) => (cell(entry, 'status') as readonly unknown[] | null)?.[0] === 'Warning')
      .sort((a, b) => Number(cell(b, 'last-seen') ?? 0) - Number(cell(a, 'last-seen') ?? 0))
      .slice(0, maxWarnings)
      .map((entry) => ({ reason: text(cell(entry, 'reason')), message: text(cell(entry, 'message')) }));
  }

  return {
    read(object, missing) {
      if (asks.length === 0) return undefined;
      if (asks.includes('warnings')) followWarnings(object);
      return {
        missing: asks.includes('targets') ? missing.filter(({ relation }) => relation === 'targets') : [],
        warnings: readWarnings(),
      };
    },
    leave() {
      warnings?.membership.leave();
      warnings = undefined;
    },
  };
}
