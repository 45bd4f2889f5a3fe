import { cleanText } from '../../kube/text.ts';

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
/** A name of a value that is a secret. */
export const wholeSecretName = new RegExp(`^${secretName}$`, 'i');
/** An argument whose value is a secret. */
export const secretFlag = new RegExp(`^--?${secretName}$`, 'i');

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
