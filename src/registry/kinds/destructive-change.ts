import { isSame } from '../../kube/json-diff.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { AnyKind } from './kind.ts';

/** Fields of metadata by which an object, or what waits for its clean-up, goes away without being deleted by anybody. */
const fatalMetadata = ['finalizers', 'ownerReferences'] as const;

type Parts = Readonly<Record<string, unknown>>;

const specOf = (object: KubeObject): Parts => {
  const { spec } = object as { readonly spec?: unknown };
  return typeof spec === 'object' && spec !== null ? (spec as Parts) : {};
};

/** Whether an object gets another pod template: its controller then replaces its pods. */
export const isTemplateChanged = (before: KubeObject, after: KubeObject): boolean =>
  !isSame(specOf(before)['template'], specOf(after)['template']);

/** Whether a value is set that was another one, or none, before. */
export const isSetAnew = <T extends object>(
  before: T | undefined,
  after: T | undefined,
  name: keyof T,
): boolean => (after?.[name] ?? undefined) !== undefined && !isSame(before?.[name], after?.[name]);

/**
 * Whether a change of an object ends pods or destroys something. Fewer replicas end pods, whatever the kind; without its
 * finalizers an object that waits for a clean-up goes without it; one that is given an owner that is gone is deleted by
 * the garbage collector. A kind adds its own grounds as `endsBy`; what the controller of one without a file does with a
 * specification nobody knows, so each change of it counts. Actions say it of themselves; this is for edits and applies.
 * @param before undefined for an object that is created
 */
export function isDestructive(
  kind: Pick<AnyKind, 'endsBy' | 'fingerprint'>,
  before: KubeObject | undefined,
  after: KubeObject,
): boolean {
  if (before === undefined) return false;
  const [had, has] = [specOf(before), specOf(after)];
  return (
    areFewer(had['replicas'], has['replicas']) ||
    fatalMetadata.some((name) => !isSame(before.metadata?.[name] ?? [], after.metadata?.[name] ?? [])) ||
    endsBy(kind, before, after) ||
    (kind.fingerprint !== undefined && !isSame(had, has))
  );
}

/** The kind's own judgement; an object of a shape that it cannot read counts. */
function endsBy({ endsBy: judge }: Pick<AnyKind, 'endsBy'>, before: KubeObject, after: KubeObject): boolean {
  try {
    return judge?.(before, after) === true;
  } catch (error) {
    if (error instanceof TypeError) return true;
    throw error;
  }
}

/** Whether a replica count becomes less; an absent one is 1. */
function areFewer(before: unknown, after: unknown): boolean {
  const count = (value: unknown) => (typeof value === 'number' ? value : 1);
  // Objects without a count, as most are, have none to lower.
  return (before ?? after ?? undefined) !== undefined && count(after) < count(before);
}
