import type { Sessions } from '../access/sessions.ts';
import type { Throttle } from '../access/throttle.ts';
import type { Billing } from '../billing/billing.ts';
import type { Chat } from '../chat/chat.ts';
import type { Services } from '../http/services.ts';
import type { Providers } from '../identity/providers.ts';
import type { SignIns } from '../identity/sign-ins.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { ManifestParser } from '../manifests/parser.ts';
import type { AccountNotices } from '../notifications/account-notices.ts';
import type { KindCatalogue } from '../objects/kind-catalogue.ts';
import type { createProofCheck } from '../passkeys/proof.ts';
import type { PlanLimits } from '../plans/limits.ts';
import type { UsageHistories } from '../prometheus/histories.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** Everything that handlers of the API are made of: the services, and the parts that `installParts` in `boot` makes of them. */
export interface RouteParts extends Services {
  /** The origin at which people open the console, for links in mail. */
  readonly origin: () => string;
  readonly sessions: Sessions;
  readonly throttle: Throttle;
  /** Throws Problem 403 unless the person confirmed their identity recently. */
  readonly requireProof: ReturnType<typeof createProofCheck>;
  readonly providers: Providers;
  /** Sign-ins at the providers. */
  readonly signIns: SignIns;
  readonly notices: AccountNotices;
  readonly mailer: Mailer;
  readonly webhooks: Webhooks;
  /** Undefined where the console sells nothing. */
  readonly billing: Billing | undefined;
  readonly limits: PlanLimits;
  readonly kinds: KindCatalogue;
  readonly parser: ManifestParser;
  readonly jobs: Jobs;
  readonly histories: UsageHistories;
  readonly chat: Chat;
}
