import type { ChatPart } from '../../contract/chat.ts';
import type { ObjectBody } from '../../contract/objects.ts';
import { cleanText } from '../../kube/text.ts';
import type { AnyKind } from '../../registry/kind.ts';
import { isSecret } from '../objects/present.ts';
import { isPlain } from '../objects/read.ts';

/** Replaces a value that must not leave the console; names beside it stay. */
export const redacted = '[redacted]';

/** Words in the name of a value that is a secret. */
const secretName =
  '[\\w.-]*(?:passw(?:or)?d|passphrase|pwd|secret|token|api[-_]?key|access[-_]?key|account[-_]?key|private[-_]?key|client[-_]?key|credentials?|authorization|auth[-_]?key|dsn|sas[-_]?key|signing[-_]?key|encryption[-_]?key|webhook[-_]?url)[\\w.-]*';

/** What is a secret wherever it stands, with what of it is kept. */
const patterns: readonly (readonly [RegExp, string])[] = [
  // Keys and certificates, also cut off, and with line ends written out.
  [
    /-----BEGIN [A-Z0-9 ]*(?:PRIVATE KEY|CERTIFICATE)[A-Z0-9 ]*-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g,
    redacted,
  ],
  [/\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g, redacted],
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
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@:'"]*:[^\s/@'"]+@/gi, `$1${redacted}@`],
  // Headers.
  [/\b(authorization\s*[:=]\s*["']?)(?:(bearer|basic|token|digest)\s+)?[^\s"',;]+/gi, `$1$2 ${redacted}`],
  [/\b(bearer|basic)\s+[\w.~+/=-]{12,}/gi, `$1 ${redacted}`],
  // What a kubeconfig holds.
  [/\b((?:client-key|client-certificate|certificate-authority)-data\s*:\s*)\S+/gi, `$1${redacted}`],
  // Named values: `password=…`, `"apiKey": "…"`, `--token …`.
  [
    new RegExp(
      String.raw`(["']?\b${secretName}["']?\s*(?:=>|[:=])\s*)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"',;&}\])]+)`,
      'gi',
    ),
    `$1${redacted}`,
  ],
  [new RegExp(String.raw`(--?${secretName})\s+(?!-)\S+`, 'gi'), `$1 ${redacted}`],
];

/** A text without what looks like a secret, and without characters that do not show. */
export function redactText(text: string): string {
  return patterns.reduce((left, [pattern, kept]) => left.replace(pattern, kept), cleanText(text));
}

/** The same of every text in a value; keys stay. */
export function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      typeof inner === 'string' && new RegExp(`^${secretName}$`, 'i').test(key)
        ? redacted
        : redactValue(inner),
    ]),
  );
}

/** Annotations that keep a copy of the whole object. */
const copies = /last-applied|applied-configuration|^objectset\.rio\.cattle\.io|kapp\.k14s\.io\/original/;

/**
 * An object as it may leave the console: by its structure first (values of Secrets, values of environment variables,
 * copies of the object in annotations), then by what its texts look like.
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
    withoutEnvironment({
      ...body,
      metadata: { ...meta, ...(kept === undefined ? {} : { annotations: kept }) },
    }),
  );
}

const hidden = (values: unknown): unknown =>
  isPlain(values) ? Object.fromEntries(Object.keys(values).map((key) => [key, redacted])) : redacted;

/** Variables keep their names, and where their values come from. */
function withoutEnvironment(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEnvironment);
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key !== 'env' || !Array.isArray(inner)) return [key, withoutEnvironment(inner)];
      return [
        key,
        inner.map((one: unknown) => (isPlain(one) && 'value' in one ? { ...one, value: redacted } : one)),
      ];
    }),
  );
}

/** Fields whose values are secret by where they stand. */
const secretPath = /\benv\b.*\bvalue\b|\b(?:data|stringData)\b/;

/** A part of an answer as it may be stored: what was read from a cluster has no secrets. */
export function withoutSecrets<T extends { readonly part: ChatPart }>(told: T): T {
  const { part } = told;
  if (part.type === 'text' || part.type === 'notice')
    return { ...told, part: { ...part, text: redactText(part.text) } };
  if (part.type !== 'evidence') return told;
  const { evidence } = part;
  if (evidence.type === 'event')
    return { ...told, part: { ...part, evidence: { ...evidence, message: redactText(evidence.message) } } };
  if (evidence.type !== 'field' || evidence.value === null) return told;
  const value = secretPath.test(evidence.path) ? redacted : redactText(evidence.value);
  return { ...told, part: { ...part, evidence: { ...evidence, value } } };
}
