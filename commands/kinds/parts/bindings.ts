import {
  accountOf,
  type BindingObject,
  rbacGroup,
  type Subject,
  subjectText,
} from '../../../src/kube/rbac.ts';
import type { Attention } from '../../../src/registry/kinds/attention.ts';
import type { Around, Column, RelatedObject, Section } from '../../../src/registry/kinds/kind.ts';

const subjectsOf = ({ subjects }: BindingObject) => subjects ?? [];

/** The role of a binding; a Role is in the binding's namespace. */
function roleOf({ metadata, roleRef }: BindingObject): RelatedObject | undefined {
  const { kind, name } = roleRef ?? {};
  if (kind === undefined || name === undefined) return undefined;
  const { namespace } = metadata ?? {};
  return {
    relation: 'targets',
    apiVersion: `${rbacGroup}/v1`,
    kind,
    ...(kind === 'Role' && namespace !== undefined ? { namespace } : {}),
    name,
  };
}

/** A subject without a namespace is in the binding's, where it has one. */
const placedSubject = (object: BindingObject, subject: Subject): Subject => ({
  ...(object.metadata?.namespace === undefined ? {} : { namespace: object.metadata.namespace }),
  ...subject,
});

/** The role and the service accounts of a binding. Accounts that do not exist are usual: bindings may come first. */
export function bindingRefs(object: BindingObject): readonly RelatedObject[] {
  const role = roleOf(object);
  const accounts = subjectsOf(object).flatMap((subject): readonly RelatedObject[] => {
    const account = accountOf(placedSubject(object, subject));
    return account === undefined
      ? []
      : [{ relation: 'uses', apiVersion: 'v1', kind: 'ServiceAccount', ...account, absence: 'usual' }];
  });
  return [...(role === undefined ? [] : [role]), ...accounts];
}

/** The rule for bindings to a role that does not exist. */
export const bindingAttention =
  (kindId: string) =>
  (_object: BindingObject, around?: Around): Attention | undefined => {
    const missing = around?.missing?.find(({ kind }) => kind === 'Role' || kind === 'ClusterRole');
    return missing === undefined
      ? undefined
      : {
          rule: `${kindId}.no-role`,
          tone: 'warn',
          title: `${missing.kind} ${missing.name} does not exist, so this binding allows nothing.`,
          detail: 'It begins to allow something as soon as somebody creates a role of that name.',
        };
  };

/** Columns of both kinds of bindings. */
export const bindingColumns: readonly Column<BindingObject>[] = [
  {
    id: 'role',
    label: 'Role',
    format: 'object',
    links: { to: 'object' },
    dropAt: 2,
    value: ({ roleRef }) => (roleRef?.name === undefined ? null : [roleRef.kind ?? '', roleRef.name]),
  },
  {
    id: 'subjects',
    label: 'Subjects',
    format: 'list',
    links: { to: 'reference', kind: 'serviceaccount' },
    dropAt: 3,
    value: (object) => subjectsOf(object).map((subject) => subjectText(placedSubject(object, subject))),
  },
];

/** Who may do what: the subjects, and the rules of the role. */
export const bindingSections: readonly Section<BindingObject>[] = [
  {
    title: 'Subjects',
    columns: [
      { label: 'Kind', format: 'text' },
      { label: 'Name', format: 'mono' },
      { label: 'Namespace', format: 'text' },
    ],
    rows: (object) =>
      subjectsOf(object).map((subject) => {
        const { kind = '', name = '', namespace } = placedSubject(object, subject);
        return [kind, name, kind === 'ServiceAccount' ? (namespace ?? null) : null];
      }),
    empty: () => 'It names nobody, so it allows nothing.',
  },
  { title: 'They may', of: roleOf },
  'related',
  'metadata',
  'events',
  'yaml',
];
