import { kubectlObject, shellWord } from '../../../kube/kubectl.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import type { CopiedPart, Toaster } from '../../../registry/commands/services.ts';
import { fullKind } from '../../core/kinds/full.ts';
import { objectPath } from '../../data/object-path.ts';
import type { DataPort } from '../../data/port.ts';
import { copyText } from '../../kit/copy.ts';

/** The command that shows an object: kubectl's, or Helm's for a release. */
export function kubectlLine(
  { source, group, plural }: Pick<KindFacts, 'source' | 'group' | 'plural'>,
  { namespace, name }: Pick<ObjectRef, 'namespace' | 'name'>,
): string {
  if (source === 'helm') return `helm status -n ${shellWord(namespace ?? 'default')} -- ${shellWord(name)}`;
  return `kubectl get ${kubectlObject({ group, plural, name, ...(namespace === undefined ? {} : { namespace }) })}`;
}

/** What is copied of an object; undefined for the link of one without a page. */
export function copiedText(
  what: CopiedPart,
  ref: ObjectRef,
  {
    kind,
    origin,
  }: { readonly kind: Pick<KindFacts, 'source' | 'group' | 'plural'>; readonly origin: string },
): string | undefined {
  switch (what) {
    case 'name':
      return ref.name;
    case 'kubectl':
      return kubectlLine(kind, ref);
    case 'link': {
      const path = objectPath(ref);
      return path === undefined ? undefined : origin + path;
    }
    default:
      return what satisfies never;
  }
}

const partNames: Readonly<Record<CopiedPart, readonly [one: string, many: string]>> = {
  name: ['Name', 'names'],
  kubectl: ['Command', 'commands'],
  link: ['Link', 'links'],
};

/** What was copied, for the message: `Name`, `3 names`. */
export const copiedWords = (what: CopiedPart, count: number): string =>
  count === 1 ? partNames[what][0] : `${count} ${partNames[what][1]}`;

/** Copies a part of each object, and says so; or why there is nothing to copy. */
export async function copyObjects(
  { kinds, toast }: Pick<DataPort, 'kinds'> & { readonly toast: Toaster },
  what: CopiedPart,
  refs: readonly [ObjectRef, ...ObjectRef[]],
): Promise<void> {
  const { origin } = location;
  const texts = refs.flatMap((ref) => {
    const kind = fullKind(ref.kind, kinds.of(ref.cluster, ref.kind));
    return copiedText(what, ref, { kind, origin }) ?? [];
  });
  if (texts.length === 0) toast.info(`This console has no page for ${refs[0].name}.`);
  else await copyText(copiedWords(what, texts.length), texts.join('\n'), toast, texts.length === 1);
}
