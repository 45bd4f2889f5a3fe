import type { Logger } from 'pino';
import type { Endpoint, RequestOf, ResponseOf } from '../../contract/endpoint.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { AuditSubject } from '../audit/audit.ts';
import type { Member, Person } from '../access/person.ts';
import type { SessionBinding } from '../access/sessions.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';

/** Who a handler sees: the access of its endpoint was checked before it runs. */
export type PersonOf<E extends Endpoint> = E['access'] extends 'public'
  ? Person | undefined
  : E['access'] extends 'session' | 'account'
    ? Person
    : Member;

/** The cluster of `:clusterId`, already authorised; undefined for endpoints without one. */
export type ClusterOf<E extends Endpoint> = E['path'] extends `${string}/:clusterId${string}`
  ? ClusterRow
  : undefined;

/** The kind of `:kind` or `:crdName`, already authorised by the endpoint's access; undefined for endpoints without one. */
export type KindOf<E extends Endpoint> = E['path'] extends
  | `${string}/:kind/${string}`
  | `${string}/:crdName${string}`
  ? AnyKind
  : undefined;

/** The browser session of a call, for the handlers that begin or end one. */
export interface SessionControl {
  /**
   * Begins a session under a new token, ends the session of the call, and sets the cookies.
   * @param binding how it was opened, and to which company it is bound; by password, to none, without it
   */
  start(userId: number, binding?: SessionBinding): Promise<void>;
  /** Ends the session the call came with, if any, and clears the cookies. */
  end(): Promise<void>;
}

/** Inputs of a handler besides its parsed request. */
export interface Context<E extends Endpoint = Endpoint> {
  readonly person: PersonOf<E>;
  readonly cluster: ClusterOf<E>;
  readonly kind: KindOf<E>;
  /** The request's logger: carries the request id. Never pass it bodies or secrets. */
  readonly log: Logger;
  readonly requestId: string;
  /** Address of the caller, behind trusted proxies the forwarded one. */
  readonly address: string;
  /** Aborted when the caller disconnects: pass it to everything that waits. */
  readonly signal: AbortSignal;
  /**
   * Takes the passkey that the caller used for a dangerous act, where the cluster of the call asks for one: for a call
   * whose `proof` is `handler`, directly before the act. Throws Problem 403.
   */
  readonly proveAct: () => Promise<void>;
  readonly audit: {
    /**
     * Stores the row of a call whose endpoint is `braked`, once the throttle let it through. Throws Problem 503 when it
     * cannot: no row, no change.
     */
    begin(): Promise<void>;
    /** Adds ids and names to the audit row of this call. Never bodies or secrets. */
    subject(facts: Readonly<Record<string, string | number | boolean | null>>): void;
    /**
     * Names the action and what it is about, and stores both before anything is changed; a call that only reads gets
     * its row by this.
     * Throws Problem 503 when it cannot: no row, no change.
     */
    record(action: string, facts: Readonly<Record<string, string | number | boolean | null>>): Promise<void>;
    /**
     * As `record`, for a call that only reads and by which somebody enters: a session beside it says nothing of who they
     * are, so the entry is begun by somebody signed out.
     */
    enter(action: string, facts: Readonly<Record<string, string | number | boolean | null>>): Promise<void>;
    /**
     * Adds what a change of settings changed: of the names in `after` those whose value was another before. Never
     * secrets.
     */
    changed(before: AuditSubject, after: AuditSubject): void;
    /** Names who acts, where only the handler learns it (sign-in, set-up). */
    actor(person: Pick<Person, 'id' | 'companyId' | 'email'>): void;
  };
  readonly session: SessionControl;
  /** The cookie by which the browser of this call is known. */
  readonly device: {
    readonly value: string | undefined;
    set(value: string): void;
  };
  /** The cookie that ties a sign-in at a provider to this browser. */
  readonly signInBrowser: {
    readonly value: string | undefined;
    set(value: string): void;
  };
  /** Whether the browser says that a page of another site sent it here. */
  readonly isSentByOthers: boolean;
  /** The origin at which the caller opened this console. */
  readonly origin: string;
  /** Answers a navigation with a redirect to a path of this console, or to an identity provider. */
  readonly redirect: (path: string) => void;
  /**
   * Answers with a file, chunk by chunk as the caller takes them; only for endpoints that are a download. Resolves when
   * it is through, throws when it fails or the caller leaves: the file is then visibly cut short.
   */
  readonly sendFile: (file: FileAnswer) => Promise<void>;
}

/** A file as an answer. */
export interface FileAnswer {
  /** Letters, digits, dots and hyphens. */
  readonly name: string;
  /** Media type. */
  readonly type: string;
  readonly chunks: AsyncIterable<string>;
}

/** Serves one endpoint: the parsed request in, the answer out; failures are thrown as Problem. */
export type Handler<E extends Endpoint> = (
  request: RequestOf<E>,
  context: Context<E>,
) => ResponseOf<E> | Promise<ResponseOf<E>>;

/** One handler for every endpoint of a table: a missing one does not compile. */
export type Handlers<T extends Readonly<Record<string, Endpoint>>> = {
  readonly [K in keyof T]: Handler<T[K]>;
};
