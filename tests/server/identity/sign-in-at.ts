import { send, type TestClient, type WireAnswer } from '../http-client.ts';

/** How somebody goes to a provider and comes back. */
export interface SignInOptions {
  readonly returnUrl?: string;
  /** The server that the provider's answer reaches, where it is another than the one that began. */
  readonly at?: TestClient;
  /** The origin at which people open the console, where it is another than where the server listens. */
  readonly console?: string;
}

/** Goes from the console to a provider and back up to the callback, which it does not call. */
export async function goToProvider(
  client: TestClient,
  provider: string,
  { returnUrl, console = client.base }: SignInOptions = {},
): Promise<string> {
  const query = new URLSearchParams({ provider, ...(returnUrl === undefined ? {} : { returnUrl }) });
  const start = await navigate(client, `/api/auth/login?${query.toString()}`, console, 'same-origin');
  return await passProvider(start.headers.location, console);
}

/** Follows a provider's redirects as a browser with its cookies does, up to an address of the console. */
export async function passProvider(start: string | undefined, console: string): Promise<string> {
  const jar = new Map<string, string>();
  let location = start;
  for (let steps = 0; steps < 10; steps += 1) {
    if (location === undefined) throw new Error('The console leads nowhere.');
    if (!location.startsWith('http') || location.startsWith(console)) return location.replace(console, '');
    const { origin, pathname, search } = new URL(location);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers: Record<string, string> = cookie === '' ? {} : { cookie };
    const answer = await send(origin, 'GET', pathname + search, { headers });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      jar.set(name, value);
    }
    const next = answer.headers.location;
    if (next === undefined)
      throw new Error(`The provider answered ${answer.status}: ${answer.text.slice(0, 300)}`);
    location = new URL(next, origin).href;
  }
  throw new Error('The provider redirects without an end.');
}

/** Opens an address of the console as a browser does that another site sends there, or another page of the console. */
export async function navigate(
  client: TestClient,
  path: string,
  console: string = client.base,
  site: 'cross-site' | 'same-site' | 'same-origin' | 'none' = 'cross-site',
): Promise<WireAnswer> {
  const { host } = new URL(console);
  const headers = { host, origin: null, 'sec-fetch-site': site, 'x-xsrf-token': null };
  return await client.send('GET', path, undefined, { headers });
}

/** Signs in at a provider; returns where the console sends the browser in the end. */
export async function signInAt(
  client: TestClient,
  provider: string,
  options: SignInOptions = {},
): Promise<string | undefined> {
  const back = await goToProvider(client, provider, options);
  const { at = client, console } = options;
  for (const [name, value] of client.cookies) at.cookies.set(name, value);
  return (await navigate(at, back, console)).headers.location;
}
