/** The whole configuration of one server process, read once from environment and arguments. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Public origin, e.g. https://console.example.org; null: the loopback aliases of host and port are one origin. */
  readonly url: URL | null;
  /** Absolute path of the data folder. */
  readonly dataDir: string;
  /** The PostgreSQL to use; null: the embedded one in the data folder. */
  readonly databaseUrl: string | null;
  /** Keys for data at rest, `id:base64` lines; null: the key file in the data folder. */
  readonly secretKey: string | null;
  /** CIDRs that the address guard lets through although they are loopback or link-local. */
  readonly allowCidrs: readonly string[];
  /** CIDRs of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly helpUrl: string | null;
  /** The operator's own kubeconfig file, absolute path. */
  readonly kubeconfigFile: string | null;
  readonly playground: boolean;
  /** Creates the first Owner without the set-up link. */
  readonly setup: { readonly email: string; readonly password: string } | null;
  /** Bearer token for /metrics; null: /metrics answers loopback callers only. */
  readonly metricsToken: string | null;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
}
