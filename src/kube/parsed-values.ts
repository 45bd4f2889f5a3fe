import { isPlainObject } from './plain.ts';

/** Annotation in which `kubectl apply` keeps the whole object, a Secret's values among it. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Key and value of a label or annotation. */
export type Pair = readonly [key: string, value: string];

/** What the panel beside the editor shows of one manifest (specification section 3). Never a Secret's values. */
export interface ParsedValues {
  /** `Not specified` without one. */
  readonly kind: string;
  readonly name: string;
  /** `default` without one. */
  readonly namespace: string;
  /** Absent where there are none. */
  readonly labels?: readonly Pair[];
  readonly annotations?: readonly Pair[];
  /** Of a Deployment, 1 without. */
  readonly replicas?: string;
  /** Of a Service (`ClusterIP` without) or Secret (`Opaque` without). */
  readonly type?: string;
  /** Of an Ingress: `*` for a rule without; none without rules. */
  readonly hosts?: readonly string[];
  /** Of a ConfigMap or Secret, keys alone; none without data. */
  readonly data?: readonly string[];
  /** Keys of what a Secret says in plain text, where it does. */
  readonly stringData?: readonly string[];
}

/** What stands for hosts and data where there are none. */
export const noHosts = 'No hosts specified';
export const noData = 'No data specified';
export const notSpecified = 'Not specified';
/** What stands for values of a Secret. */
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

/** Shorter values of a Secret are words like any other: an annotation that has one may have it by chance. */
const shortestTelling = 6;

/** Whether an annotation of a Secret may give its values away: a copy of the object, or a text with one of them. */
function tells(secret: unknown): (key: string, text: string) => boolean {
  const values = ['data', 'stringData']
    .flatMap((part) => {
      const map = field(secret, part);
      return isPlainObject(map) ? Object.values(map) : [];
    })
    .filter((value) => typeof value === 'string' && value.length >= shortestTelling);
  return (key, text) =>
    key === lastApplied ||
    /^\s*[{[]|^\s*H4sI/.test(text) ||
    values.some((value) => typeof value === 'string' && text.includes(value));
}

const keysOf = (value: unknown): readonly string[] => (isPlainObject(value) ? Object.keys(value) : []);

const hostsOf = (rules: unknown): readonly string[] =>
  Array.isArray(rules) ? rules.map((rule) => textOr(field(rule, 'host'), '*')) : [];

/** Whether a manifest is a Secret, in whatever letters its kind is written. */
export function isSecretManifest(value: unknown): boolean {
  return textOr(field(value, 'kind'), '').toLowerCase() === 'secret';
}

/** Reads what the panel shows of a manifest, whatever its shape. Kinds are matched in any case. */
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
