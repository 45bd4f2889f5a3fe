import type { Kind } from '../../registry/kinds/kind.ts';
import { type Audience, namespaceSeparator } from '../webhooks/happenings.ts';
import type { HappeningData } from '../webhooks/bodies.ts';

type Subject = Readonly<Record<string, unknown>>;

/** The audit cuts its lists to this length: one that is as long may lack something. */
const listLimit = 8_000;

const text = (subject: Subject, name: string): string => {
  const value = subject[name];
  return typeof value === 'string' ? value : '';
};
/** Who may hear of a change. */
type ChangeAudience = Pick<Audience, 'permission' | 'namespace'>;

const listed = (list: string) => list.split(', ').filter((one) => one !== '');

/** The kinds that a word of the audit may mean: an id, `group~version~Kind`, or the Kind of a manifest. */
function kindsNamed(word: string, kinds: readonly Kind[]): readonly Kind[] {
  const byId = kinds.find(({ id }) => id === word);
  if (byId !== undefined) return [byId];
  const [group = '', , name] = word.split('~');
  if (name === undefined) return kinds.filter(({ kind }) => kind === word);
  const ownGroup = group === 'core' ? '' : group;
  return kinds.filter((one) => one.group === ownGroup && (one.kind === name || one.plural === name));
}

/** What a change was done to, in words and as names. */
export function changedOf(
  action: string,
  subject: Subject,
  kinds: readonly Kind[],
): Required<Pick<HappeningData, 'object' | 'title'>> {
  const [namespace, names] = [text(subject, 'namespace'), text(subject, 'names') || text(subject, 'name')];
  const ids = listed(text(subject, 'kind')).map((word) => {
    const [one, ...others] = kindsNamed(word, kinds);
    return one === undefined || others.length > 0 ? word : one.id;
  });
  const name = listed(names)
    .map((one) => (one.startsWith(`${namespace}/`) ? one.slice(namespace.length + 1) : one))
    .join(', ');
  const failed = subject['failed'];
  const partly = typeof failed === 'number' && failed > 0 ? `; ${failed} of them failed` : '';
  return {
    title: `${action} of ${names}${partly}`,
    object: { kind: [...new Set(ids)].join(', '), ...(namespace === '' ? {} : { namespace }), name },
  };
}

/**
 * Who may hear of a change: whoever may view all the kinds in all the namespaces. Owners alone hear of kinds that are not
 * known without asking the cluster, and of what the audit had to cut.
 */
export function audienceOf(action: string, subject: Subject, kinds: readonly Kind[]): ChangeAudience {
  const [kind, namespace] = [text(subject, 'kind'), text(subject, 'namespace')];
  if (Math.max(kind.length, namespace.length) >= listLimit) return { permission: 'owner', namespace: '' };
  const needed = listed(kind).flatMap((word) => {
    const found = kindsNamed(word, kinds);
    return found.length === 0 ? ['owner'] : found.map(({ permissions }) => permissions.view);
  });
  // Of several manifests some may be of the cluster, or name no namespace, which the list of namespaces does not tell.
  const isMixed = action.startsWith('resource.') && subject['objects'] !== 1;
  return {
    permission: [...new Set(needed.flat())].join(' '),
    namespace: isMixed ? '' : listed(namespace).join(namespaceSeparator),
  };
}

/** What a change of a cluster as a whole was, and who may hear of it. */
export function clusterChangeOf({
  action,
  subject,
  changes,
}: {
  readonly action: string;
  readonly subject: Subject;
  readonly changes: Readonly<Record<string, unknown>> | null;
}): Pick<HappeningData, 'title' | 'state' | 'object'> & { readonly audience: ChangeAudience } {
  const toAll = { permission: '', namespace: '' };
  switch (action) {
    case 'createNamespace': {
      const name = text(subject, 'namespace');
      return {
        title: `Namespace ${name} was created`,
        state: 'created',
        object: { kind: 'namespace', name },
        audience: { permission: 'namespaces.view', namespace: name },
      };
    }
    case 'replaceKubeconfig':
      return { title: 'The credential of the cluster was replaced', state: 'changed', audience: toAll };
    default: {
      const names = Object.keys(changes ?? {}).sort();
      const which = names.length === 0 ? '' : `: ${names.join(', ')}`;
      return { title: `Settings of the cluster were changed${which}`, state: 'changed', audience: toAll };
    }
  }
}
