import type { LogLine } from '../world.ts';

/** What a line says of why a program ended. */
export interface LogReason {
  readonly id: ReasonId;
  readonly line: LogLine;
  /** What the line names: a host and port, a file, a variable …; empty where it names nothing. */
  readonly named: string;
}

/** Lines from the end that are looked at, and how long before the last one they may be written, seconds. */
const lineLimit = 30;
const timeLimit = 30;
/** Characters of a line that are looked at. */
const textLimit = 2_000;

const host = String.raw`[\w.-]+|\[[\da-fA-F:]+\]`;
const openingQuote = String.raw`["'“\x60]?`;

/**
 * What programs write, by what it means. Where a pattern has groups, the first one that is there is what is named. The
 * first meaning that fits a line decides.
 */
const meanings = {
  forbidden: [
    /is forbidden: User "(system:serviceaccount:[^"]+)" cannot \w+ resource/,
    /(system:serviceaccount:[\w.:-]+)"? (?:cannot|is not allowed to) \w+/,
  ],
  architecture: [
    /exec format error()/i,
    /cannot execute binary file()/i,
    /\brosetta error|Illegal instruction()/,
  ],
  disk: [
    /ENOSPC: no space left on device,? (?:\w+ )?'?([^\s']*)/i,
    /(?:write|open|mkdir|create|copy|extend file)\b[^:"']{0,20}["']?(\/[^\s:"']+)["']?:? .{0,20}(?:No space left on device|disk quota exceeded)/i,
    /(?:No space left on device|Disk quota exceeded|not enough space on the disk|disk is full)()/i,
  ],
  watches: [
    /number of inotify (instances|watches)[^\n]*reached/i,
    /(?:ENOSPC: )?System limit for number of (file watchers) reached/i,
    /failed to create fsnotify watcher: (too many open files)/i,
    /\bEMFILE: (too many open files)|inotify_(?:init|add_watch)[^\n]*(No space left on device|Too many open files)/,
    /[:(] ?(too many open files)\b/i,
  ],
  identity: [
    /(Not authorized to perform sts:AssumeRoleWithWebIdentity)/,
    /(AADSTS\d+: [^.\n]{0,80})/,
    /(Permission 'iam\.serviceAccounts\.getAccessToken' denied)/,
  ],
  topic: [
    /Topic\(s\) \[([\w.-]+)[^\]]*\] is\/are not present/,
    /(?:topic|Topic) ['"]?([\w.-]+)['"]? (?:does not exist|not found|not present in metadata|is not present)/,
    /UnknownTopicOrPartition[^\n]*?topic[= '"]+([\w.-]+)/,
    /no (?:queue|exchange) '([\w.-]+)' in vhost/,
  ],
  'database-right': [
    /permission denied for (?:table|relation|schema|database|sequence|function|view) "?([\w.]+)/,
    /must be owner of (?:table|relation|schema|sequence) "?([\w.]+)/,
    /command denied to user '[^']+'@'[^']+' for table '([^']+)'/,
    /not authorized on (\w+) to execute command/,
  ],
  'database-missing': [
    /(?:FATAL|ERROR|error): +database "([^"]+)" does not exist/,
    /Unknown database '([^']+)'/,
    /relation "([^"]+)" does not exist/,
    /column "?([\w."]+?)"? (?:of relation "[^"]+" )?does not exist/,
    /Unknown column '([^']+)'|no such column: (\S+)/,
    /Table '([^']+)' doesn't exist/,
    /no such table: (\w+)/,
  ],
  'key-pair': [
    /(?:"(\/[^"]+)"[^"]*)?(?:key values mismatch|private key does not match public key|KEY_VALUES_MISMATCH)()/i,
    /(?:private )?key (?:does not|doesn't|do not) match (?:the |its )?certificate()/i,
  ],
  certificate: [
    /x509: (certificate has expired[^:"]*|certificate is not yet valid[^:"]*|certificate signed by unknown authority|certificate is (?:not )?valid for [^"]+)/,
    /\b(CERT_HAS_EXPIRED|UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|ERR_TLS_CERT_ALTNAME_INVALID)\b/,
    /certificate verify failed: ([^(]+)/i,
    /(PKIX path (?:building|validation) failed)/,
    /SSL certificate problem: (.+)/,
  ],
  'sign-in': [
    /password authentication failed for user "([^"]+)"/,
    /Access denied for user '([^']+)'@/,
    /FATAL: +role "([^"]+)" does not exist/,
    /\b(?:WRONGPASS|NOAUTH)\b/,
    /MongoServerError: Authentication failed|SASL authentication failed|Login failed for user '([^']+)'/,
  ],
  migration: [
    /Dirty database version (\d+)/,
    /Could not acquire change ?log lock|Waiting for changelog lock|migration (?:table|database) is (?:already )?locked/i,
    /(Conflicting migrations detected[^\n]{0,160})/,
    /Migration ["'`]?([\w.-]+)["'`]? failed|FlywayException: Validate failed|\bP3009\b|migrate found failed migrations/i,
    /relation "([^"]+)" already exists.*migrat|migrat.*relation "([^"]+)" already exists/i,
  ],
  memory: [
    /(java\.lang\.OutOfMemoryError(?:: [\w ]+)?)/,
    /(JavaScript heap out of memory)/,
    /(fatal error: runtime: out of memory)|(std::bad_alloc)|^(MemoryError)\b/,
  ],
  port: [
    /EADDRINUSE: address already in use (\S+)/,
    new RegExp(String.raw`listen tcp\d? (\S*:\d+): bind: address already in use`),
    /bind\(\) to (\S+) failed \(98: Address (?:already )?in use\)/,
  ],
  permission: [
    /EACCES: permission denied,? (?:\w+ )?'?([^\s']+)/,
    /EROFS: read-only file system, \w+ '([^']+)'/,
    /(?:open|mkdir|create|stat|unlink|chown|chmod|fopen)(?:\(\))? ["']?(\/[^\s:"']+)["']?:? ?(?:failed )?\(?(?:\d+: )?(?:permission denied|read-only file system)/i,
    /\[Errno (?:13|30)\] (?:Permission denied|Read-only file system): '([^']+)'/,
    /(?:can't|cannot) (?:create|open|remove|write)\b[^'"/]*['"]?(\/[^\s:'"]+)['"]?: (?:Permission denied|Read-only file system)/i,
    /listen tcp\d? (\S*:\d+): bind: permission denied/,
    /bind\(\) to (\S+) failed \(13: Permission denied\)/,
    /AccessDeniedException: (\/\S+)/,
  ],
  name: [
    new RegExp(
      String.raw`lookup (${host})(?: on \S+)?: (?:read udp|dial udp|read tcp|dial tcp|i\/o timeout)`,
    ),
    new RegExp(
      String.raw`(?:resolve|resolving|resolution of|resolution for)(?: host| hostname| name)?:? ['"]?(${host})['"]?.{0,40}(?:timed? ?out|failed|fail)`,
      'i',
    ),
    new RegExp(String.raw`(?:Failed to resolve|NameResolutionError)[^'"(]{0,60}['"(](${host})['")]`),
    new RegExp(String.raw`Unknown (?:MySQL server )?host '(${host})'`),
    new RegExp(String.raw`getaddrinfo (?:ENOTFOUND|EAI_AGAIN) (${host})`),
    new RegExp(
      String.raw`lookup (${host})(?: on \S+)?: (?:no such host|server misbehaving|Temporary failure|no answer)`,
    ),
    new RegExp(String.raw`could not translate host name "(${host})" to address`),
    new RegExp(String.raw`UnknownHostException: (${host})`),
    new RegExp(String.raw`host not found in upstream "(${host})`),
    new RegExp(String.raw`[Cc]ould not resolve host:? (${host})`),
    new RegExp(
      String.raw`(${host})(?::\d+)?: (?:Name or service not known|Temporary failure in name resolution)`,
    ),
  ],
  refused: [
    new RegExp(String.raw`ECONNREFUSED (?:.*?)((?:${host}):\d+)`),
    new RegExp(String.raw`dial (?:tcp|udp)\d? ((?:${host}):\d+): (?:connect: )?connection refused`),
    /connection to server at "([^"]+)"[^,]*, port (\d+) failed: Connection refused/,
    new RegExp(String.raw`Connection to ((?:${host}):\d+) refused`),
    new RegExp(String.raw`connecting to ((?:${host}):\d+)\. Connection refused`),
    new RegExp(String.raw`(?:Failed to connect to|connect to) (${host}) port (\d+).*Connection refused`, 'i'),
    new RegExp(String.raw`Can't connect to MySQL server on '((?:${host})(?::\d+)?)' \((?:111|61)\)`),
    new RegExp(String.raw`connect(?:ion)? to ((?:${host}):\d+)[^\n]{0,60}refused`, 'i'),
    /ConnectionRefusedError|java\.net\.ConnectException: Connection refused|ECONNREFUSED|[Cc]onnection refused/,
  ],
  timeout: [
    new RegExp(String.raw`ETIMEDOUT (?:.*?)((?:${host}):\d+)`),
    new RegExp(
      String.raw`dial (?:tcp|udp)\d? ((?:${host}):\d+): (?:connect: )?(?:i\/o timeout|connection timed out|no route to host|operation timed out)`,
    ),
    /connection to server at "([^"]+)"[^,]*, port (\d+) failed: (?:Connection timed out|timeout expired|No route to host)/,
    new RegExp(
      String.raw`(?:connect(?:ion|ing)?|connect) to ((?:${host})(?::\d+)?)[^\n]{0,40}(?:timed? ?out|timeout)`,
      'i',
    ),
    new RegExp(
      String.raw`(?:Failed to connect to|connect to) (${host}) port (\d+).*(?:timed out|Timeout)`,
      'i',
    ),
    new RegExp(String.raw`Can't connect to MySQL server on '((?:${host})(?::\d+)?)' \((?:110|60|113)\)`),
    /(?:SocketTimeoutException|ConnectTimeout(?:Error|Exception)?|ETIMEDOUT|connect timed out|Client\.Timeout exceeded|context deadline exceeded|i\/o timeout|upstream timed out|[Cc]onnection timed out)()/,
  ],
  upstream: [
    /\b50[234]\b[^\n]*?(?:upstream|https?:\/\/)()/,
    /(?:upstream|https?:\/\/\S+)[^\n]*?\b50[234]\b()/,
    /no healthy upstream|upstream connect error|no live upstreams()/,
  ],
  variable: [
    new RegExp(
      String.raw`\benv(?:ironment)?[ _]?var(?:iable)?s?:? ${openingQuote}([A-Z][A-Z0-9_]{2,})["'”\x60]? (?:is |are |must be |was )?(?:not set|not defined|not found|missing|required|undefined|unset|set$)`,
      'i',
    ),
    new RegExp(
      String.raw`\b(?:missing|required|undefined|unset)(?: required)? env(?:ironment)?[ _]?var(?:iable)?s?:? ${openingQuote}([A-Z][A-Z0-9_]{2,})`,
      'i',
    ),
    /\bKeyError: '([A-Z][A-Z0-9_]{2,})'/,
    /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+):? (?:unbound variable|parameter not set|(?:is|was) not set|must be set|is required|env(?:ironment)? variable (?:is )?(?:not set|missing|required))/,
    /required key ([A-Z][A-Z0-9_]{2,}) missing value/,
  ],
  file: [
    /ENOENT: no such file or directory, \w+ '([^']+)'/,
    /(?:open|stat|read|lstat) (\/[^\s:]+): no such file or directory/,
    /FileNotFoundError: \[Errno 2\] No such file or directory: '([^']+)'/,
    /FileNotFoundException: (\/\S+) \(No such file/,
    /NoSuchFileException: (\/\S+)/,
    /Cannot find module '([^']+)'/,
    /\/(?:ba)?sh: (?:\d+: )?(?:can't open ')?(\/[^\s:']+)'?: No such file/i,
  ],
} as const satisfies Readonly<Record<string, readonly RegExp[]>>;

/** What a line can say of why a program ended. */
export type ReasonId = keyof typeof meanings;

const ids = Object.keys(meanings) as readonly ReasonId[];

/** Lines that tell of what went well, or of what is tried again. */
const harmless = [
  /^\W*(?:\S+ ){0,3}?\W?(?:INFO|DEBUG|TRACE|NOTICE)\b/,
  /\blevel["']?[=:] ?["']?(?:info|debug|trace)\b/i,
  /"(?:severity|lvl)": ?"(?:info|debug|trace)"/i,
  /\bignor(?:ed|ing)\b|\brecovered\b/i,
];
/** Lines of what is tried again: no reason for an end, but one for a program that runs and is not ready. */
const repeated = /\bretry|\bretries\b|\bwill try again\b/i;

/** What a text says; undefined for all that says nothing of an end. */
function meaningOf(text: string, isRunning: boolean): Omit<LogReason, 'line'> | undefined {
  const plain = text.slice(0, textLimit);
  if (harmless.some((one) => one.test(plain)) || (!isRunning && repeated.test(plain))) return undefined;
  for (const id of ids)
    for (const pattern of meanings[id]) {
      const match = pattern.exec(plain);
      if (match === null) continue;
      const [first = '', second] = match.slice(1).filter((one: string | undefined) => one !== undefined);
      return { id, named: second === undefined ? first : `${first}:${second}` };
    }
  return undefined;
}

/**
 * Why a program ended by its last lines, the oldest first: what the latest of them says that says anything.
 * @param isRunning it still runs, and is not ready
 */
export function reasonOf(lines: readonly LogLine[], isRunning = false): LogReason | undefined {
  const last = lines.findLast(({ at }) => at !== null)?.at ?? null;
  for (const line of lines.slice(-lineLimit).toReversed()) {
    if (last !== null && line.at !== null && line.at < last - timeLimit) return undefined;
    const meaning = meaningOf(line.text, isRunning);
    if (meaning !== undefined) return { ...meaning, line };
  }
  return undefined;
}

/** Lines that say nothing by themselves: places in the code, brackets, and what a runner says of the program's end. */
const empty =
  /^\s*$|^\s*at \S|^\s*File "|^goroutine \d|^\s*\.\.\. \d+ more|^[\s^~\-=*]+$|^\s*[}\])]+[,;]?$|^Traceback|^exit status \d|^npm (?:ERR!|error)(?! code)|^\s*Node\.js v\d|^\t|^\s+raise\b|^created by /;
/** Lines that tell that a program ends, and not why. */
const endings =
  /exited unexpectedly|did not exit normally|\bexit(?:ed|ing)? with (?:exit )?(?:code|status) \d+\W*$|^\W*(?:\S+ ){0,4}shutting down\b.{0,40}$/i;
/** Words of lines that tell of an error. */
const errorWords =
  /error|fatal|panic|exception|fail|denied|refused|forbidden|cannot|can't|could ?n[o']t|unable|invalid|missing|not found|no such|abort|critical|unexpected|unknown|must (?:be|not)/i;
/** Lines from the end among which one with such words is preferred to the last one. */
const nearLimit = 10;

/** Lines by which databases explain the line before. */
const detailLine = /\bDETAIL: |^\s*Detail: /;

/** The line that says most of why a program ended, of its last lines, the oldest first; undefined if none says anything. */
export function tellingLine(lines: readonly LogLine[]): LogLine | undefined {
  const said = lines.filter(({ text }) => !empty.test(text));
  const telling = said.filter(({ text }) => !endings.test(text));
  const full = (telling.length > 0 ? telling : said).slice(-nearLimit);
  return (
    full.findLast(({ text }) => /^\s*Caused by:/.test(text)) ??
    full.findLast(({ text }, at) => detailLine.test(text) && errorWords.test(full[at - 1]?.text ?? '')) ??
    full.findLast(({ text }) => errorWords.test(text) && !harmless.some((one) => one.test(text))) ??
    full.at(-1)
  );
}

/** A line that continues the one before, as loggers write texts of several lines. */
const continued = /^\s*\|/;

/** The text of a line with those around it that belong to the same message, in one line. */
export function blockText(lines: readonly LogLine[], line: LogLine): string {
  if (!continued.test(line.text)) return line.text;
  const at = lines.indexOf(line);
  const isPart = (index: number) => continued.test(lines[index]?.text ?? '');
  let first = at;
  while (first > 0 && isPart(first - 1)) first -= 1;
  let last = at;
  while (isPart(last + 1)) last += 1;
  return lines
    .slice(first, last + 1)
    .map(({ text }) => text.replace(continued, '').trim())
    .filter((text) => text !== '')
    .join(' ');
}
