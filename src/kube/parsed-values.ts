import { isPlainObject } from './plain.ts';

/** Annotation in which `kubectl apply` stores the whole object, including a Secret's values. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Key and value of a label or annotation. */
export type Pair = readonly [key: string, value: string];

/** What the panel beside the editor shows of a manifest (specification section 3). Never contains a Secret's values. */
export interface ParsedValues {
  /** `Not specified` if missing. */
  readonly kind: string;
  readonly name: string;
  /** `default` if missing. */
  readonly namespace: string;
  /** Absent if there are none. */
  readonly labels?: readonly Pair[];
  readonly annotations?: readonly Pair[];
  /** Replicas of a Deployment; 1 if missing. */
  readonly replicas?: string;
  /** Type of a Service (default `ClusterIP`) or Secret (default `Opaque`). */
  readonly type?: string;
  /** Hosts of an Ingress: `*` for a rule without a host; empty without rules. */
  readonly hosts?: readonly string[];
  /** Keys of a ConfigMap or Secret; empty without data. */
  readonly data?: readonly string[];
  /** Keys of a Secret's `stringData`, if it has any. */
  readonly stringData?: readonly string[];
}

/** Shown if an Ingress has no hosts. */
export const noHosts = 'No hosts specified';
export const noData = 'No data specified';
export const notSpecified = 'Not specified';
/** Shown instead of a Secret's values. */
export const hiddenValue = '(not shown)';

const asText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

const textOr = (value: unknown, otherwise: string): string =>
  value === undefined || value === null || value === '' ? otherwise : asText(value);

const field = (value: unknown, name: string): unknown =>
  isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

function pairs(value: unknown, hidden: (key: string, text: string) => boolean): readonly Pair[] | undefined {
  if (!isPlainObject(value)) return undefined;
  const found = Object.entries(value).map(([key, one]): Pair => {
    const text = one === null ? '' : asText(one);
    return [key, hidden(key, text) ? hiddenValue : text];
  });
  return found.length === 0 ? undefined : found;
}

/** Minimum length of a Secret's value that is searched for: shorter ones may occur in an annotation by chance. */
const minRevealingLength = 6;

/**
 * Tests whether an annotation of a Secret may reveal its values: a copy of the object, or a text that contains one of
 * them.
 */
function tells(secret: unknown): (key: string, text: string) => boolean {
  const values = ['data', 'stringData']
    .flatMap((part) => {
      const map = field(secret, part);
      return isPlainObject(map) ? Object.values(map) : [];
    })
    .filter((value) => typeof value === 'string' && value.length >= minRevealingLength);
  return (key, text) =>
    key === lastApplied ||
    /^\s*[{[]|^\s*H4sI/.test(text) ||
    values.some((value) => typeof value === 'string' && text.includes(value));
}

const keysOf = (value: unknown): readonly string[] => (isPlainObject(value) ? Object.keys(value) : []);

const hostsOf = (rules: unknown): readonly string[] =>
  Array.isArray(rules) ? rules.map((rule) => textOr(field(rule, 'host'), '*')) : [];

/** Whether a manifest is a Secret; ignores the case of its kind. */
export function isSecretManifest(value: unknown): boolean {
  return textOr(field(value, 'kind'), '').toLowerCase() === 'secret';
}

/** Reads what the panel shows of a manifest of any shape. Ignores the case of kinds. */
export function parsedValues(value: unknown): ParsedValues {
  const metadata = field(value, 'metadata');
  const spec = field(value, 'spec');
  const kind = textOr(field(value, 'kind'), notSpecified);
  const isSecret = isSecretManifest(value);
  const labels = pairs(field(metadata, 'labels'), () => false);
  const annotations = pairs(field(metadata, 'annotations'), isSecret ? tells(value) : () => false);
  const common = {
    kind,
    name: textOr(field(metadata, 'name'), notSpecified),
    namespace: textOr(field(metadata, 'namespace'), 'default'),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
  switch (kind.toLowerCase()) {
    case 'deployment':
      return { ...common, replicas: textOr(field(spec, 'replicas'), '1') };
    case 'service':
      return { ...common, type: textOr(field(spec, 'type'), 'ClusterIP') };
    case 'ingress':
      return { ...common, hosts: hostsOf(field(spec, 'rules')) };
    case 'configmap':
      return { ...common, data: keysOf(field(value, 'data')) };
    case 'secret': {
      const stringData = keysOf(field(value, 'stringData'));
      return {
        ...common,
        type: textOr(field(value, 'type'), 'Opaque'),
        data: keysOf(field(value, 'data')),
        ...(stringData.length === 0 ? {} : { stringData }),
      };
    }
    default:
      return common;
  }
}
