import type { ChatPart } from '../../contract/chat.ts';
import type { Evidence } from '../../contract/diagnosis.ts';
import type { ObjectBody } from '../../contract/objects.ts';
import { cleanText } from '../../kube/text.ts';
import type { AnyKind } from '../../registry/kind.ts';
import { isSecret } from '../objects/present.ts';
import { isPlain } from '../objects/read.ts';

/** Replaces a value that must not leave the console; names beside it stay. */
export const redacted = '[redacted]';

/** Texts longer than this are cut before they are looked through, characters. */
const textLimit = 64 * 1024;

/** Words in the name of a value that is a secret. */
const secretWord =
  '(?:passw(?:or)?d|passphrase|(?<!by|com|tres)pass(?![a-z])|pwd|(?<![a-z])pw(?![a-z])|secret|token|api[-_]?key|access[-_]?key|account[-_]?key|private[-_]?key|client[-_]?key|credentials?|authorization|auth[-_]?key|dsn|sas[-_]?key|signing[-_]?key|encryption[-_]?key|webhook[-_]?url)';

/**
 * A whole name with such a word. It begins where no name goes on, and looks for the word without going back, so that a
 * hostile text takes no more steps than a few for each of its characters.
 */
const secretName = String.raw`(?=[\w.-]*?${secretWord})[\w.-]+`;
const wholeSecretName = new RegExp(`^${secretName}$`, 'i');
const secretFlag = new RegExp(`^--?${secretName}$`, 'i');

/** What is a secret wherever it stands, with what of it is kept. */
const patterns: readonly (readonly [RegExp, string])[] = [
  // Keys and certificates, also cut off, and with line ends written out.
  [
    /-----BEGIN [A-Z0-9 ]{0,40}?(?:PRIVATE KEY|CERTIFICATE)[A-Z0-9 ]{0,40}-----[\s\S]*?(?:-----END [A-Z0-9 ]{1,80}-----|$)/g,
    redacted,
  ],
  [/\beyJ[\w-]{5,}(?:\.[\w-]*){0,2}/g, redacted],
  // Cloud providers and services, by the beginning of their keys.
  [/\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[0-9A-Z]{16}\b/g, redacted],
  [/\bgh[oprsu]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}/g, redacted],
  [/\bxox[a-z]-[\w-]{10,}|\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}/g, redacted],
  [/\b(?:sk|rk|pk)[-_](?:live|test|proj|ant|or)?[-_]?[\w-]{16,}/g, redacted],
  [
    /\bwh(?:p|sec)_\w{16,}|\bnpm_\w{30,}|\bhvs\.[\w-]{20,}|\bdop_v1_\w{20,}|\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
    redacted,
  ],
  [/https:\/\/hooks\.slack\.com\/services\/[\w/]+/g, `https://hooks.slack.com/services/${redacted}`],
  // User and password in addresses.
  [/(:\/\/)[^\s/@:'"]*:[^\s/@'"]+@/g, `$1${redacted}@`],
  // Headers.
  [/\b(authorization\s*[:=]\s*["']?)(?:(bearer|basic|token|digest)\s+)?[^\s"',;]+/gi, `$1$2 ${redacted}`],
  [/\b(bearer|basic)\s+[\w.~+/=-]{12,}/gi, `$1 ${redacted}`],
  // What a kubeconfig holds.
  [/\b((?:client-key|client-certificate|certificate-authority)-data\s*:\s*)\S+/gi, `$1${redacted}`],
  // Named values: `password=…`, `"apiKey": "…"`, also within JSON within JSON.
  [
    new RegExp(
      String.raw`(?<![\w.-])(${secretName}(?:\\*["'])?\s*(?:=>|[:=])\s*)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\\+["'][^"'\\]*|[^\s"',;&}\])]+)`,
      'gi',
    ),
    `$1${redacted}`,
  ],
  // Arguments: `--token …`, `["--token", "…"]`.
  [new RegExp(String.raw`(?<![\w.-])(--?${secretName})\s+(?!-)\S+`, 'gi'), `$1 ${redacted}`],
  [
    new RegExp(String.raw`(?<![\w.-])(--?${secretName}\\*["']\s*,\s*\\*["'])(?!-)[^"'\\]*`, 'gi'),
    `$1${redacted}`,
  ],
];

/** A text without what looks like a secret, and without characters that do not show; cut at 64 Ki characters. */
export function redactText(text: string): string {
  const bounded = text.length > textLimit ? `${text.slice(0, textLimit)}…` : text;
  return patterns.reduce((left, [pattern, kept]) => left.replace(pattern, kept), cleanText(bounded));
}

/** The same of every text in a value; keys stay. */
export function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value))
    return value.map((one: unknown, index) => {
      const before: unknown = value[index - 1];
      // The value behind an argument that names a secret.
      const isValue = typeof before === 'string' && before.length < 200 && secretFlag.test(before);
      return isValue && typeof one === 'string' && !one.startsWith('-') ? redacted : redactValue(one);
    });
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      typeof inner === 'string' && wholeSecretName.test(key) ? redacted : redactValue(inner),
    ]),
  );
}

/** Annotations that keep a copy of the whole object. */
const copies = /last-applied|applied-configuration|^objectset\.rio\.cattle\.io|kapp\.k14s\.io\/original/;

/**
 * An object as it may leave the console: by its structure first (values of Secrets, of environment variables and
 * of charts, copies of the object in annotations), then by what its texts look like.
 */
export function redactObject(kind: Pick<AnyKind, 'group' | 'plural'>, object: ObjectBody): unknown {
  const { metadata, ...rest } = object;
  const { managedFields: _managed, annotations, ...meta } = metadata ?? {};
  const kept = isPlain(annotations)
    ? Object.fromEntries(
        Object.entries(annotations).map(([key, value]) => [key, copies.test(key) ? redacted : value]),
      )
    : undefined;
  const body = isSecret(kind)
    ? Object.fromEntries(
        Object.entries(rest).map(([key, value]) => [
          key,
          key === 'data' || key === 'stringData' ? hidden(value) : value,
        ]),
      )
    : rest;
  return redactValue(
    withoutSettings({
      ...body,
      metadata: { ...meta, ...(kept === undefined ? {} : { annotations: kept }) },
    }),
  );
}

const hidden = (values: unknown): unknown =>
  isPlain(values) ? Object.fromEntries(Object.keys(values).map((key) => [key, redacted])) : redacted;

/** Keys of environment variables, also as values of charts and custom resources name them. */
const environmentKey = /^(?:extra)?env(?:ironment)?(?:vars?|variables)?$/i;
/** Keys of the values of a chart, in whatever custom resource installs it. */
const chartKey = /^(?:values(?:content|object|inline)?|substitute)$/i;
const helmKeys = ['values', 'valuesObject', 'parameters', 'fileParameters'];

/** Environment variables and values of charts keep their names, and where they come from. */
function withoutSettings(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSettings);
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (environmentKey.test(key) && typeof inner === 'object') return [key, withoutValues(inner)];
      // The values of a selector are a list.
      if (chartKey.test(key) && !Array.isArray(inner) && inner !== null) return [key, hidden(inner)];
      if (key === 'helm' && isPlain(inner))
        return [
          key,
          Object.fromEntries(
            Object.entries(inner).map(([own, of]) => [
              own,
              helmKeys.includes(own) ? withoutValues(of) : withoutSettings(of),
            ]),
          ),
        ];
      return [key, withoutSettings(inner)];
    }),
  );
}

/** Named values as a list or by their names, without the values. */
function withoutValues(named: unknown): unknown {
  const one = (inner: unknown): unknown =>
    !isPlain(inner)
      ? redacted
      : 'value' in inner
        ? { ...inner, value: redacted }
        : 'valueFrom' in inner || 'name' in inner
          ? inner
          : redacted;
  if (Array.isArray(named)) return named.map(one);
  if (!isPlain(named)) return named === null ? null : redacted;
  return Object.fromEntries(Object.entries(named).map(([key, inner]) => [key, one(inner)]));
}

/** Fields whose values are secret by where they stand. */
const secretPath =
  /\benv\b(?:\[\d+\])?$|\benv\b.*\bvalue\b|\b(?:data|stringData|values|valuesObject|valuesContent)\b/;
/** JSON that was cut off and holds what is secret by where it stands. */
const secretKey = /"\w*env\w*"\s*:\s*[[{]|"values\w*"\s*:|"helm"\s*:|"(?:data|stringData)"\s*:/i;

/** Evidence as it may be stored and told: what was read from a cluster has no secrets. */
export function evidenceWithoutSecrets(evidence: Evidence): Evidence {
  if (evidence.type === 'event') return { ...evidence, message: redactText(evidence.message) };
  if (evidence.type !== 'field' || evidence.value === null) return evidence;
  const { path, value } = evidence;
  return { ...evidence, value: secretPath.test(path) ? redacted : redactFieldText(value) };
}

/** The text of a field, which is JSON where the field is no text. */
function redactFieldText(value: string): string {
  if (!/^\s*[[{]/.test(value)) return redactText(value);
  try {
    return redactText(JSON.stringify(redactValue(withoutSettings(JSON.parse(value)))));
  } catch {
    return secretKey.test(value) ? redacted : redactText(value);
  }
}

/** A part of an answer as it may be stored: what was read from a cluster has no secrets. */
export function withoutSecrets<T extends { readonly part: ChatPart }>(told: T): T {
  const { part } = told;
  if (part.type === 'text' || part.type === 'notice')
    return { ...told, part: { ...part, text: redactText(part.text) } };
  if (part.type !== 'evidence') return told;
  return { ...told, part: { ...part, evidence: evidenceWithoutSecrets(part.evidence) } };
}
