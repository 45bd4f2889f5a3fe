import { cleanText } from '../../kube/text.ts';

/** Replaces a value that must not leave the console; names beside it stay. */
export const redacted = '[redacted]';

/** Texts longer than this are cut before they are looked through, characters. */
const textLimit = 64 * 1024;

/** Words in the name of a value that is a secret. */
const secretWord = `(?:${[
  'passw(?:or)?ds?',
  'passphrase',
  // Neither “bypass”, “compass” and “trespass” nor “passed”.
  '(?<!by|com|tres)pass(?![a-z])',
  'pwd',
  '(?<![a-z])pw(?![a-z])',
  'secret',
  'token',
  'credentials?',
  'authorization',
  '[-_]auth(?![a-z])',
  '(?:api|access|account|private|client|auth|sas|signing|encryption|app|master|session|ssh|license|storage|shared|hmac|cookie)[-_]?key',
  'dsn',
  'connection[-_]?string',
  'webhook[-_]?url',
  'sess(?:ion)?[-_]?id',
  'connect[.]sid',
].join('|')})`;

/** Ends of names that tell of a secret without being one, as `secretName` and `TOKEN_FILE`. */
const harmlessEnd =
  '(?:names?|namespace|refs?|selector|seconds|path|file|type|kind|count|duration|ttl|serviceaccounttoken)';

/**
 * A whole name with such a word. It begins where no name goes on, and looks for the word without going back, so that a
 * hostile text takes no more steps than a few for each of its characters.
 */
const secretName = String.raw`(?=[\w.-]*?${secretWord})(?![\w.-]*?${harmlessEnd}(?![\w.-]))[\w.-]+`;
/** A name of a value that is a secret. */
export const wholeSecretName = new RegExp(`^${secretName}$`, 'i');
/** An argument whose value is a secret. */
export const secretFlag = new RegExp(`^--?${secretName}$`, 'i');

/** A quote, also within JSON within JSON. */
const quote = String.raw`(?:\\*["'])`;
/** A text in quotes, also cut off. */
const quotedText = String.raw`"(?:[^"\\]|\\.)*(?:"|\\?$)|'(?:[^'\\]|\\.)*(?:'|\\?$)|\\+["'][^"'\\]*`;
const value = String.raw`(?:${quotedText}|\[[^\]{\n]{0,500}\]|[^\s"']+)`;
/** Blanks between a name and its value. A line below that is a list or has a name of its own is no value. */
const gap = String.raw`(?:[^\S\n]{0,200}|\s{0,200}\n\s{0,200}(?!-\s|[\w.-]+:(?:\s|$)))`;
const secretPattern = (source: string, flags = 'gi') => new RegExp(source, flags);

/** “2 checks pass: ok” names no password: the bare word before the result of a check, or before a count. */
const resultOfChecks = String.raw`pass\s*(?:=>|[:=])\s*(?:ok|okay|yes|no|true|false|all|none|both|passed|failed|skipped|done|success|succeeded|\d{1,3}(?:%|/\d{1,3})?)(?=[\s,;)\]}]|[.!]?(?:\s|$))`;

/** “open …/token: no such file or directory” has no secret: an error of the system follows the name of a file. */
const resultOfFile = String.raw`[\w.-]+:\s*(?:no such file or directory|permission denied|(?:is|not) a directory|read-only file system|file exists|input/output error|operation not permitted|file does not exist)\b`;

/** What is a secret wherever it stands, with what of it is kept. */
const patterns: readonly (readonly [RegExp, string])[] = [
  // Keys and certificates, also cut off at either end, and with line ends written out.
  [
    /-----BEGIN [A-Z0-9 ]{0,40}?(?:PRIVATE KEY|CERTIFICATE)[A-Z0-9 ]{0,40}-----[\s\S]*?(?:-----END [A-Z0-9 ]{1,80}-----|$)/g,
    redacted,
  ],
  [/(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{1,80}(?:\s|\\[rn]){0,8}-----END [A-Z0-9 ]{1,80}-----/g, redacted],
  // What looks random: capitals, small letters and digits, longer than any name. Digests have no capitals.
  [
    /(?<![A-Za-z0-9+/=])(?=[a-z0-9+/]*[A-Z])(?=[A-Z0-9+/]*[a-z])(?=[A-Za-z+/]*[0-9])[A-Za-z0-9+/]{40,}={0,2}/g,
    redacted,
  ],
  [/\beyJ[\w-]{5,}(?:\.[\w-]*){0,2}/g, redacted],
  // Cloud providers and services, by the beginning of their keys.
  [/\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[0-9A-Z]{16}\b/g, redacted],
  [/\bgh[oprsu]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bgl(?:sa|c)_\w{20,}/g, redacted],
  [/\bxox[a-z]-[\w-]{10,}|\bxapp-[\w-]{10,}|\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}/g, redacted],
  [/\b(?:sk|rk|pk)[-_](?:live|test|proj|ant|or)?[-_]?[\w-]{16,}/g, redacted],
  [
    /\bwh(?:p|sec)_\w{16,}|\bnpm_\w{30,}|\bhv[sb]\.[\w-]{20,}|\bdop_v1_\w{20,}|\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
    redacted,
  ],
  [
    /\bdckr_pat_[\w-]{16,}|\bhf_\w{20,}|\bpypi-[\w-]{20,}|\bshp(?:at|ca|pa|ss)_\w{20,}|\bATATT3x[\w=-]{20,}|\bdapi[0-9a-f]{32}|\bAGE-SECRET-KEY-\w{20,}/g,
    redacted,
  ],
  // Addresses that are secrets themselves.
  [/(https:\/\/hooks\.slack\.com\/services\/)[\w/]+/g, `$1${redacted}`],
  [/(api\.telegram\.org\/bot)[\w:-]+/g, `$1${redacted}`],
  [/(discord(?:app)?\.com\/api\/webhooks\/)[\w/-]+/g, `$1${redacted}`],
  [/(\bwebhook\.office\.com\/)[^\s"']+/g, `$1${redacted}`],
  [/([?&](?:sig|signature|x-amz-signature|x-goog-signature)=)[^\s&"']+/gi, `$1${redacted}`],
  // User and password in addresses: the host follows the last @. A user alone may be a token.
  [/(:\/\/)[^\s/@:'"]{0,100}:[^\s'"]{0,200}@/g, `$1${redacted}@`],
  [/(:\/\/)[^\s/@:'"]{16,300}@/g, `$1${redacted}@`],
  // Headers, to the end of their line: there are many schemes, and cookies have names of their own.
  [
    secretPattern(
      String.raw`\b((?:proxy-)?authorization|(?:set-)?cookie)((?:${quote}?\s*(?:=>|[:=])|${quote}\s*,)\s*)(?:${quotedText}|(?:\w="[^"\r\n]*"|[^\r\n"'])+)`,
    ),
    `$1$2${redacted}`,
  ],
  [/\b(bearer|basic)\s+[\w.~+/=-]{12,}/gi, `$1 ${redacted}`],
  // What kubeconfigs and the credentials of registries hold.
  [/\b((?:client-key|client-certificate|certificate-authority)-data\s*:\s*)\S+/gi, `$1${redacted}`],
  [secretPattern(String.raw`(${quote}auth${quote}\s*:\s*)(?:${quotedText})`), `$1${redacted}`],
  // YAML: blocks, lists, and values with blanks.
  [
    secretPattern(
      String.raw`^([ \t]*(?:- )?)(${quote}?${secretName}${quote}?:[ \t]*)[|>][^\n]*(?:\n(?:\1[ \t]+[^\n]*|[ \t]*(?=\n)))+`,
      'gim',
    ),
    `$1$2${redacted}`,
  ],
  [
    secretPattern(String.raw`^([ \t]*)(${secretName}:[ \t]*)(?:\n\1[ \t]*- (?!name:)[^\n]*)+`, 'gim'),
    `$1$2${redacted}`,
  ],
  [
    secretPattern(
      String.raw`^([ \t]*(?:- )?(?!${resultOfChecks})${secretName}:[ \t]+)(?![|>\[{"'])[^\n]+`,
      'gim',
    ),
    `$1${redacted}`,
  ],
  // The name and the value beside each other: `name: DB_PASSWORD, value: …`, `<password>…`.
  [
    secretPattern(
      String.raw`\b((?:name|key)${quote}?\s*[:=]\s*${quote}?${secretName}${quote}?\s*,?\s*${quote}?value${quote}?\s*[:=]\s*)${value}`,
    ),
    `$1${redacted}`,
  ],
  [secretPattern(String.raw`(<${secretName}(?:\s[^>\n]{0,200})?>)[^<\n]+`), `$1${redacted}`],
  // Named values: `password=…`, `"apiKey": "…"`.
  [
    secretPattern(
      String.raw`(?<![\w.-])(?!${resultOfChecks})(?!${resultOfFile})(${secretName}${quote}?\s*(?:=>|[:=])${gap})${value}`,
    ),
    `$1${redacted}`,
  ],
  // Arguments: `--token …`, `["--token", "…"]`.
  [secretPattern(String.raw`(?<![\w.-])(--?${secretName})\s+(?!-)\S+`), `$1 ${redacted}`],
  [
    secretPattern(String.raw`(?<![\w.-])(--?${secretName}${quote}\s*,\s*${quote})(?!-)[^"'\\]*`),
    `$1${redacted}`,
  ],
  // Programs and languages that take a password without naming it so.
  [/(\s(?:-u|--user)[ =]?["']?[^\s:"']{1,100}:)(?!\d+(?:\s|$))[^\s"']+/g, `$1${redacted}`],
  [/\b((?:redis-cli|valkey-cli)\b[^\n]{0,200}?\s-a\s+)\S+/g, `$1${redacted}`],
  [/\b((?:mysql|mysqldump|mysqladmin|mariadb)\s+(?:-[^\n]{0,200}?\s)?-p)[^\s-]\S*/g, `$1${redacted}`],
  [/\b(sshpass\s+-p\s*)\S+/g, `$1${redacted}`],
  [/\b((?:requirepass|masterauth)\s+)\S+/gi, `$1${redacted}`],
  [/\b(login\s+\S{1,100}\s+password\s+)\S+/gi, `$1${redacted}`],
  [/\b(identified\s+by\s+(?:password\s+)?|password\s+(?=["']))(?:"[^"]*"|'[^']*'|\S+)/gi, `$1${redacted}`],
];

/** A text without what looks like a secret, and without characters that do not show; cut at 64 Ki characters. */
export function redactText(text: string): string {
  const bounded = text.length > textLimit ? `${text.slice(0, textLimit)}…` : text;
  return patterns.reduce((left, [pattern, kept]) => left.replace(pattern, kept), cleanText(bounded));
}

/** The last 64 Ki characters of a text without what looks like a secret, from the beginning of a line. */
export function redactEnd(text: string): string {
  if (text.length <= textLimit) return redactText(text);
  const end = text.slice(-textLimit);
  return redactText(end.slice(end.indexOf('\n') + 1));
}
