import { all, crashed, log, object, pod, type RuleCase } from './rule-case.ts';

/** A pod that ended with these last lines. */
const wrote = (...lines: readonly string[]): string => all(pod({ status: crashed(1) }), log(...lines));

/** A rule about logs: lines that say it, each with what is named, and lines that do not. */
interface Lines {
  readonly id: string;
  readonly says: readonly (readonly [line: string, names: RegExp])[];
  readonly near: Readonly<Record<string, string>>;
}

const table: readonly Lines[] = [
  {
    id: 'watches',
    says: [
      [
        'System.IO.IOException: The configured user limit (128) on the number of inotify instances has been reached',
        /no inotify instance is left for its user on node node-1, by a limit of the node/,
      ],
      [
        'Error: ENOSPC: System limit for number of file watchers reached, watch /app',
        /no inotify watch is left/,
      ],
      ['Error: EMFILE: too many open files, open /app/a', /it has no file handle left/],
    ],
    near: { 'it is a setting': 'the limit of open files is 1024' },
  },
  {
    id: 'identity',
    says: [
      [
        'AccessDenied: Not authorized to perform sts:AssumeRoleWithWebIdentity',
        /the cloud refuses its service account default: “Not authorized to perform sts/,
      ],
    ],
    near: { 'it has the role': 'assumed role web by sts:AssumeRoleWithWebIdentity' },
  },
  {
    id: 'topic',
    says: [
      [
        'IllegalStateException: Topic(s) [orders.paid] is/are not present and missingTopicsFatal is true',
        /the topic or queue orders\.paid that it needs does not exist/,
      ],
    ],
    near: { 'it is there': 'subscribed to topic orders.paid' },
  },
  {
    id: 'key-pair',
    says: [
      [
        'nginx: [emerg] SSL_CTX_use_PrivateKey("/etc/tls/tls.key") failed (SSL: error:05800074:x509 certificate routines::key values mismatch)',
        /its certificate and its private key do not belong together: “.*key values mismatch/,
      ],
      ['tls: private key does not match public key', /do not belong together/],
    ],
    near: { 'they do': 'loaded certificate and private key' },
  },
  {
    id: 'forbidden',
    says: [
      [
        'E1128 failed to list *v1.Pod: pods is forbidden: User "system:serviceaccount:shop:web" cannot list resource "pods" in API group "" in the namespace "shop"',
        /service account web of namespace shop may not list pods in namespace shop/,
      ],
      [
        'nodes is forbidden: User "system:serviceaccount:shop:web" cannot watch resource "deployments" in API group "apps" at the cluster scope',
        /may not watch deployments\.apps: no role/,
      ],
    ],
    near: { 'a page is forbidden': 'GET /admin 403 Forbidden' },
  },
  {
    id: 'architecture',
    says: [['exec /usr/local/bin/entrypoint.sh: exec format error', /another CPU architecture/]],
    near: { 'the format is of a file': 'unknown format of the order file' },
  },
  {
    id: 'disk',
    says: [
      ["Error: ENOSPC: no space left on device, write '/data/wal'", /no space is left on its disk/],
      ['PANIC: could not write to file "pg_wal/1": No space left on device', /no space is left on its disk/],
    ],
    near: { 'it is a figure': 'disk usage 40 %' },
  },
  {
    id: 'database-right',
    says: [
      [
        'psycopg2.errors.InsufficientPrivilege: permission denied for table invoices',
        /no permission for invoices/,
      ],
      ['ERROR: must be owner of table invoices', /no permission for invoices/],
    ],
    near: { 'somebody may not': 'permission denied for anna' },
  },
  {
    id: 'database-missing',
    says: [
      ['FATAL:  database "orders" does not exist', /no database orders/],
      ['ERROR: relation "orders" does not exist at character 15', /no table orders/],
      ["Table 'shop.orders' doesn't exist", /no table shop\.orders/],
    ],
    near: { 'it exists': 'database orders is up to date' },
  },
  {
    id: 'timeout',
    says: [
      ['Error: connect ETIMEDOUT 10.96.44.12:5432', /connection to 10\.96\.44\.12:5432 times out/],
      ['dial tcp 10.96.44.12:5432: i/o timeout', /10\.96\.44\.12:5432 times out/],
      [
        'connection to server at "db" (10.96.44.12), port 5432 failed: Connection timed out',
        /db:5432 times out/,
      ],
      ['java.net.SocketTimeoutException: connect timed out', /another program times out/],
    ],
    near: { 'it is a setting': 'request timeout set to 30 s' },
  },
  {
    id: 'upstream',
    says: [
      ['GET /orders 503 upstream=http://api.example.org/v1', /answers with an error/],
      ['no healthy upstream', /answers with an error/],
    ],
    near: { 'it went well': 'GET /orders 200 upstream=http://api.example.org/v1' },
  },
  {
    id: 'refused',
    says: [
      ['Error: connect ECONNREFUSED 10.96.44.12:5432', /10\.96\.44\.12:5432/],
      ['panic: dial tcp 10.96.44.12:6379: connect: connection refused', /10\.96\.44\.12:6379/],
      ['dial tcp [::1]:8080: connect: connection refused', /\[::1\]:8080 in its own pod/],
      ['connection to server at "db" (10.96.44.12), port 5432 failed: Connection refused', /db:5432/],
      [
        'org.postgresql.util.PSQLException: Connection to db.shop:5432 refused. Check that the hostname and port are correct',
        /db\.shop:5432/,
      ],
      [
        'redis.exceptions.ConnectionError: Error 111 connecting to redis:6379. Connection refused.',
        /redis:6379/,
      ],
      ["ERROR 2003 (HY000): Can't connect to MySQL server on 'mysql:3306' (111)", /mysql:3306/],
      ['curl: (7) Failed to connect to api port 8080 after 2 ms: Connection refused', /api:8080/],
      ['Caused by: java.net.ConnectException: Connection refused', /another program is refused/],
    ],
    near: {
      'it is tried again': 'connect ECONNREFUSED 10.96.44.12:5432, retrying in 5 s',
      'the words alone': 'the upstream refused the order',
      'it is information': 'INFO dial tcp 10.96.44.12:6379: connect: connection refused',
    },
  },
  {
    id: 'name',
    says: [
      ['Error: getaddrinfo ENOTFOUND db', /host db, and there is no service db in namespace shop/],
      ['Error: getaddrinfo EAI_AGAIN db.example.org', /host db\.example\.org by DNS/],
      [
        'dial tcp: lookup db.pay.svc.cluster.local on 10.96.0.10:53: no such host',
        /no service db in namespace pay/,
      ],
      ['psql: error: could not translate host name "db" to address: Name or service not known', /host db/],
      ['java.net.UnknownHostException: kafka', /host kafka/],
      ['nginx: [emerg] host not found in upstream "api" in /etc/nginx/conf.d/default.conf:4', /host api/],
      ['curl: (6) Could not resolve host: api', /host api/],
      ['redis-cli: Could not connect to Redis at redis:6379: Name or service not known', /host redis/],
    ],
    near: {
      'a page is not found': 'GET /api/orders 404 not found',
      'a search found nothing': 'lookup of customer 4711 gave nothing',
    },
  },
  {
    id: 'variable',
    says: [
      ['Error: environment variable DATABASE_URL is not set', /DATABASE_URL/],
      ['Missing required environment variable: API_HOST', /API_HOST/],
      ["KeyError: 'DATABASE_URL'", /DATABASE_URL/],
      ['/entrypoint.sh: line 4: DATABASE_URL: unbound variable', /DATABASE_URL/],
      ['required key DATABASE_URL missing value', /DATABASE_URL/],
      ['panic: SMTP_HOST must be set', /SMTP_HOST/],
    ],
    near: {
      'a key of some data': "KeyError: 'customer'",
      'a field of a form': 'the field name is required',
      'it is set': 'environment variable DATABASE_URL is set to its default',
    },
  },
  {
    id: 'file',
    says: [
      ["Error: ENOENT: no such file or directory, open '/etc/web/config.yaml'", /\/etc\/web\/config\.yaml/],
      ['open /etc/web/config.yaml: no such file or directory', /\/etc\/web\/config\.yaml/],
      ["FileNotFoundError: [Errno 2] No such file or directory: 'settings.py'", /settings\.py/],
      [
        'java.io.FileNotFoundException: /etc/web.properties (No such file or directory)',
        /\/etc\/web\.properties/,
      ],
      ["Error: Cannot find module '/app/server.js'", /\/app\/server\.js/],
    ],
    near: {
      'it is optional': 'open /etc/web/extra.yaml: no such file or directory, ignoring',
      'somebody asked for a page': 'GET /no/such/file 404',
    },
  },
  {
    id: 'permission',
    says: [
      ["Error: EACCES: permission denied, open '/data/db.lock'", /no permission for \/data\/db\.lock/],
      ['open /data/db.lock: permission denied', /\/data\/db\.lock/],
      ["PermissionError: [Errno 13] Permission denied: '/var/lib/web'", /\/var\/lib\/web/],
      ["mkdir: can't create directory '/var/cache/nginx': Permission denied", /\/var\/cache\/nginx/],
      ["OSError: [Errno 30] Read-only file system: '/app/cache'", /cannot write \/app\/cache/],
      ['nginx: [emerg] bind() to 0.0.0.0:80 failed (13: Permission denied)', /listen on 0\.0\.0\.0:80/],
      ['listen tcp :80: bind: permission denied', /listen on :80/],
      ['Error: listen EACCES: permission denied 0.0.0.0:80', /listen on 0\.0\.0\.0:80/],
      [
        'nginx: [emerg] mkdir() "/var/cache/nginx/client_temp" failed (13: Permission denied)',
        /\/var\/cache\/nginx\/client_temp/,
      ],
    ],
    near: {
      'somebody may not see a page': 'user anna: permission denied for orders',
      'it went well': 'INFO permission denied count=0 path=/data',
    },
  },
  {
    id: 'port',
    says: [
      ['Error: listen EADDRINUSE: address already in use :::8080', /:::8080/],
      ['listen tcp :8080: bind: address already in use', /:8080/],
      ['nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)', /0\.0\.0\.0:80/],
    ],
    near: {
      'an address of mail': 'sign-up failed: address already in use',
      'it may not': 'listen tcp :80: bind: permission denied',
    },
  },
  {
    id: 'memory',
    says: [
      ['Exception in thread "main" java.lang.OutOfMemoryError: Java heap space', /Java heap space/],
      [
        'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
        /JavaScript heap/,
      ],
      ['fatal error: runtime: out of memory', /out of memory/],
    ],
    near: {
      'it is a figure': 'INFO heap 512 MB of 1024 MB',
      'a cache is full': 'cache out of space, dropping the oldest',
    },
  },
  {
    id: 'certificate',
    says: [
      [
        'Post "https://api.example.org/": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time is after',
        /expired/,
      ],
      ['x509: certificate signed by unknown authority', /who issued it/],
      [
        "Error: unable to verify the first certificate { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }",
        /who issued it/,
      ],
      [
        'javax.net.ssl.SSLHandshakeException: PKIX path building failed: unable to find valid certification path',
        /who issued it/,
      ],
      [
        'ssl.SSLCertVerificationError: certificate verify failed: certificate has expired (_ssl.c:1007)',
        /expired/,
      ],
      [
        'x509: certificate is valid for a.example.org, not b.example.org',
        /not valid for it: .*b\.example\.org/,
      ],
    ],
    near: {
      'one was renewed': 'certificate of api.example.org was renewed',
      'it expires next month': 'WARN certificate expires in 29 days',
    },
  },
  {
    id: 'sign-in',
    says: [
      ['FATAL:  password authentication failed for user "web"', /user web/],
      ["ERROR 1045 (28000): Access denied for user 'web'@'10.1.0.9' (using password: YES)", /user web/],
      ['FATAL:  role "web" does not exist', /no user web/],
      ['ReplyError: WRONGPASS invalid username-password pair or user is disabled.', /refuses/],
      ['MongoServerError: Authentication failed.', /refuses/],
    ],
    near: {
      'somebody typed a wrong password': 'login of anna failed: wrong password',
      'it is a page': 'POST /login 401 Unauthorized',
    },
  },
  {
    id: 'migration',
    says: [
      ['error: Dirty database version 12. Fix and force version.', /12/],
      ['liquibase.exception.LockException: Could not acquire change log lock.', /locked/],
      ['Error: P3009 migrate found failed migrations in the target database', /failed/],
      ['org.flywaydb.core.api.FlywayException: Validate failed: Migrations have failed validation', /failed/],
    ],
    near: {
      'they are done': 'migrations done: 12 applied, 0 failed',
      birds: 'migration of customer 12 to the new plan',
    },
  },
];

const noise = [
  '{"level":"info","msg":"starting"}',
  'configuration loaded',
  '    at async main (/app/dist/server.js:112:18)',
] as const;
const [starting, loaded, trace] = noise;

/** Cases of the rules about what containers write before they end. */
export const logCases: readonly RuleCase[] = [
  ...table.flatMap(({ id, says, near }) => {
    const [[first] = ['']] = says;
    const alike = Object.fromEntries(
      Object.entries(near).map(([what, line]) => [what, wrote(starting, line, trace)]),
    );
    return says.map(([line, names], index) => ({
      rule: `pod.log-${id}`,
      broken: wrote(starting, loaded, line, trace),
      names,
      near:
        index === 0
          ? {
              ...alike,
              'it was said long before the end': wrote(`90s before: ${line}`, starting, loaded),
              'it is in the middle of a long log': wrote(line, ...Array.from({ length: 40 }, () => loaded)),
              'something else was said after it': wrote(
                line,
                id === 'file'
                  ? 'FATAL:  role "web" does not exist'
                  : 'open /etc/web.yaml: no such file or directory',
              ),
              'it runs': all(
                pod({
                  status:
                    "containerStatuses: [{ name: main, ready: true, restartCount: 0, state: { running: { startedAt: '2026-03-01T07:01:00Z' } } }]",
                }),
                log(line),
              ),
              'it was killed for its memory': all(pod({ status: crashed(137, 'OOMKilled') }), log(line)),
            }
          : { 'somebody quotes it in the text of a request': wrote(`INFO request body: ${first}`) },
    }));
  }),
  {
    rule: 'pod.log-variable',
    broken: wrote('environment variable DATABASE_URL is not set'),
    names: /DATABASE_URL/,
    near: {
      'it has a value': all(
        pod({ status: crashed(1), container: 'env: [{ name: DATABASE_URL, value: x }]' }),
        log('environment variable DATABASE_URL is not set'),
      ),
    },
  },
  {
    rule: 'pod.log-refused',
    // The service of the address is named where there is one.
    broken: all(
      wrote('dial tcp 10.96.44.12:5432: connect: connection refused'),
      object('v1', 'Service', 'db', 'spec: { clusterIP: 10.96.44.12, ports: [{ port: 5432 }] }'),
    ),
    names: /service db has no ready pod\.$/,
    near: {
      'nobody answers for the service, which says more': all(
        wrote('connection to server at "db" (10.96.44.12), port 5432 failed: Connection refused'),
        object(
          'v1',
          'Service',
          'db',
          'spec: { selector: { app: db }, clusterIP: 10.96.44.12, ports: [{ port: 5432 }] }',
        ),
      ),
    },
  },
];
