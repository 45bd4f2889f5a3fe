import { expect, test } from 'vitest';
import { parseDatabaseUrl } from '../../../src/server/kit/database-url.ts';

const parsed = (text: string) => {
  const result = parseDatabaseUrl(text);
  if ('problem' in result) throw new Error(result.problem);
  return result.value;
};

test('an address is taken apart, with what PostgreSQL takes where nothing is said', () => {
  expect(parsed('postgres://ada:pw@db.example.org/console')).toEqual({
    host: 'db.example.org',
    port: 5432,
    user: 'ada',
    password: 'pw',
    database: 'console',
    sslMode: 'prefer',
    rootCert: null,
    clientCert: null,
    isDirectTls: false,
    bindsChannel: false,
    applicationName: null,
    options: null,
  });
  expect(parsed('postgres://ada@[::1]:6432')).toMatchObject({ host: '::1', port: 6432, database: 'ada' });
});

test.each([
  ['a%b', 'a%b'],
  ['100%', '100%'],
  ['%zz', '%zz'],
  ['p%40ss%2Fw%23rd%3F', 'p@ss/w#rd?'],
  ['pa+ss', 'pa+ss'],
  ['pässwörd', 'pässwörd'],
])('the password %s is %s', (written, password) => {
  expect(parsed(`postgresql://ada:${written}@db/x`).password).toBe(password);
});

test('a socket is named by its folder, with or without a host before it', () => {
  for (const url of ['postgresql://ada@localhost/x?host=/run/pg', 'postgresql://ada@/x?host=%2Frun%2Fpg'])
    expect(parsed(url)).toMatchObject({ host: '/run/pg', user: 'ada', database: 'x' });
});

test('what providers write is taken as it is meant', () => {
  expect(
    parsed('postgresql://a:b@db/x?sslmode=require&channel_binding=require&options=endpoint%3Dcool'),
  ).toMatchObject({ sslMode: 'require', bindsChannel: true, options: 'endpoint=cool' });
  expect(parsed('postgresql://a:b@db/x?ssl=true').sslMode).toBe('require');
  expect(parsed('postgresql://a:b@db/x?sslmode=verify-full&sslrootcert=system').rootCert).toBeNull();
  expect(parsed('postgresql://a:b@db/x?connect_timeout=10&gssencmode=disable&keepalives=1').host).toBe('db');
});

test.each([
  ['postgresql://a:hunter2#@db/x', 'is not of the form'],
  ['postgresql://a:hunter2/3@db/x', 'is not of the form'],
  ['mysql://a:hunter2@db/x', 'is not of the form'],
  ['postgresql://a:hunter2@one,two/x', 'names several hosts'],
  ['postgresql://a:hunter2@one:5432,two:5432/x', 'names several hosts'],
  ['postgresql://a:hunter2@db/x?host=one,two', 'names several hosts'],
  [
    'postgresql://a:hunter2@db/x?sslmod=verify-full',
    'has the parameter "sslmod", which Wheelhouse does not know',
  ],
  [
    'postgresql://a:hunter2@db/x?sslmode=no-verify',
    'is "no-verify"; it must be one of disable, allow, prefer',
  ],
  ['postgresql://a:hunter2@db/x?sslmode=verify-ca', 'needs the file of a CA in sslrootcert'],
  ['postgresql://a:hunter2@db/x?sslmode=require&sslrootcert=system', 'only sslmode=verify-full protects'],
  ['postgresql://a:hunter2@db/x?sslcert=/c.pem', 'only work together'],
  ['postgresql://a:hunter2@db/x?sslnegotiation=direct', 'needs sslmode=require'],
  ['postgresql://a:hunter2@db/x?target_session_attrs=standby', 'must be read-write, or left out'],
  ['postgresql://a:hunter2@db/x?port=99999', 'is not a number from 1 to 65535'],
])('%s is refused, without its password', (url, sentence) => {
  const result = parseDatabaseUrl(url);
  const problem = 'problem' in result ? result.problem : '';
  expect(problem).toContain(sentence);
  expect(problem).not.toContain('hunter2');
});
